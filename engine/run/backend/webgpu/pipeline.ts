import { fail, ok, type Problem, type Result } from '../../../text';
import { attempt, type WebGpuDevice } from './device';
import type { Shader } from './kernel';

/** The compiled shader; compiled at its first use on a device. */
export function pipelineOf(device: WebGpuDevice, { name, code }: Shader): Promise<Result<GPUComputePipeline>> {
  const known = device.pipelines.get(name);
  if (known) return known;
  const pipeline = compileShader(device.gpu, name, code);
  device.pipelines.set(name, pipeline);
  return pipeline;
}

/** Compiles WGSL with entry point `main`. Problem `shader-refused`, with line, column and source of the first error. */
export async function compileShader(gpu: GPUDevice, label: string, code: string): Promise<Result<GPUComputePipeline>> {
  // Only so that the error is not reported a second time, as uncaptured: the compilation messages say more.
  gpu.pushErrorScope('validation');
  const module = gpu.createShaderModule({ label, code });
  const scope = attempt(() => gpu.popErrorScope());
  const compilation = await attempt(() => module.getCompilationInfo());
  await scope;
  const messages = 'value' in compilation ? compilation.value.messages : [];
  const error = messages.find((m) => m.type === 'error');
  if (error) return fail(shaderProblem(label, code, error));
  const made = await attempt(() =>
    gpu.createComputePipelineAsync({ label, layout: 'auto', compute: { module, entryPoint: 'main' } }),
  );
  if ('value' in made) return ok(made.value);
  return fail({ code: 'shader-refused', message: `${label}: the driver refused the shader: ${made.error}` });
}

function shaderProblem(label: string, code: string, error: GPUCompilationMessage): Problem {
  const { lineNum, linePos, message } = error;
  const source = code.split('\n')[lineNum - 1]?.trim() ?? '';
  return { code: 'shader-refused', message: `${label}, line ${lineNum}, column ${linePos}: ${message}`, hint: source };
}
