/** What a language model may ask: tools with their input's schema, their words and their answers, the same in VS Code and over the Model Context Protocol. */
export { callTool, tools } from './call';
export { createServer, type Server } from './server';
export { answerLimit, type LiveReader, type Tool, type ToolAnswer, type ToolHost } from './tool';
