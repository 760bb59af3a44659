import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { swiftShaderIcd } from '../host/chromium';

/** The Vulkan driver for Dawn: as the environment says, else Chromium's SwiftShader. Elsewhere than on Linux Dawn needs none. */
const driver = process.platform === 'linux' ? (process.env['VK_ICD_FILENAMES'] ?? swiftShaderIcd()) : undefined;

/** Why there can be no WebGPU in Node here; where there is none of these reasons, its absence is a failure. */
export const gpuMissing =
  process.platform === 'linux' && !driver
    ? 'no vk_swiftshader_icd.json: Chromium, which brings it, is not installed'
    : undefined;

/** Dawn ends with this object, under the feet of its devices: it must not be collected before the process ends. */
let held: GPU | undefined;

/** WebGPU in Node: Dawn (npm package `webgpu`) on SwiftShader, a software Vulkan driver. */
export async function nodeGpu(): Promise<GPU> {
  if (driver) {
    process.env['VK_ICD_FILENAMES'] = driver;
    loadVulkan(dirname(driver));
  }
  const { create } = await import('webgpu');
  return (held ??= create([]));
}

/** RTLD_NODELETE of glibc and musl: the library stays although it is no Node module. */
const noDelete = 0x1000;

/**
 * Dawn opens `libvulkan.so.1` by name and finds it loaded already. Where the system has none (it is a package of its own),
 * Chromium's does, which lies beside the driver.
 */
function loadVulkan(folder: string): void {
  const reasons = ['libvulkan.so.1', join(folder, 'libvulkan.so.1')].map(loadLibrary);
  if (reasons.every((reason) => reason !== undefined)) throw new Error(`no Vulkan loader: ${reasons.join('; ')}`);
}

/** Why the library could not be loaded. */
function loadLibrary(name: string): string | undefined {
  try {
    process.dlopen({ exports: {} }, name, constants.dlopen.RTLD_NOW | noDelete);
  } catch (error) {
    const loaded = String(error).includes('did not self-register'); // true of any library that is no Node module
    if (!loaded) return String(error);
  }
  return undefined;
}
