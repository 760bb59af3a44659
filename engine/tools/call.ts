import { fail, t } from '../text';
import { explainCellOf } from './cell';
import { checkNumbersOf } from './check';
import { cellTool, checkTool, liveTool, shapesTool } from './declared';
import { limited } from './limit';
import { explainLiveOf } from './live';
import { fittingInput } from './schema';
import { checkShapesOf } from './shapes';
import { problemLine, type Input, type Lines, type Tool, type ToolAnswer, type ToolHost } from './tool';

const calls: readonly { readonly tool: Tool; readonly answer: (input: Input, host: ToolHost) => Promise<Lines> }[] = [
  { tool: checkTool, answer: checkNumbersOf },
  { tool: cellTool, answer: explainCellOf },
  { tool: shapesTool, answer: checkShapesOf },
  { tool: liveTool, answer: explainLiveOf },
];

export const tools: readonly Tool[] = calls.map(({ tool }) => tool);

/** Answers a call, whatever its input is: problems become text that says what was found and what is expected. */
export async function callTool(name: string, given: unknown, host: ToolHost): Promise<ToolAnswer> {
  const asked = calls.find(({ tool }) => tool.name === name);
  if (!asked) return answered(fail({ code: 'tool', message: t('no tool {0}; the tools are {1}', name.slice(0, 60), tools.map((one) => one.name).join(', ')) })); // prettier-ignore
  const input = fittingInput(given, asked.tool.inputSchema);
  return answered(input.ok ? await asked.answer(input.value, host) : input);
}

const answered = (found: Lines): ToolAnswer => ({
  text: limited(found.ok ? found.value : found.problems.map((problem) => problemLine(problem))),
  isError: !found.ok,
});
