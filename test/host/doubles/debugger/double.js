// A double of the Python debugger extension for the tests: its type and a real debugpy behind it.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const vscode = require('vscode');

exports.activate = (context) => {
  const python = process.env.PYTHON || '/usr/bin/python3';
  const createDebugAdapterDescriptor = () => new vscode.DebugAdapterExecutable(python, ['-m', 'debugpy.adapter']);
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('python', { createDebugAdapterDescriptor }),
    vscode.commands.registerCommand('doubles.debug', async () => {
      const { document } = vscode.window.activeTextEditor;
      const line = document
        .getText()
        .split('\n')
        .findIndex((one) => one.includes('# the mark'));
      const place = new vscode.Location(document.uri, new vscode.Position(line, 0));
      vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(place)]);
      const [folder] = vscode.workspace.workspaceFolders;
      const program = document.uri.fsPath;
      // This VS Code has no terminals.
      await vscode.debug.startDebugging(folder, { type: 'python', name: 'x', request: 'launch', program, python: [python], console: 'internalConsole', justMyCode: true }); // prettier-ignore
    }),
  );
};
