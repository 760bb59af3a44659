// Runs test/extension/web in the web extension host of a real VS Code, the worker in which vscode.dev runs extensions. A separate program, so that
// test.ts can read its output. The workbench is code-server's; its page is changed to load the extension and the tests from its own origin.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { launchChromium } from './chromium';
import { withExpected } from './expected';
import { type Deed, peopleIn } from './person';
import { freshFolder, removeFolder, root } from './paths';
import { HostError, within } from './processes';
import { randomWeights, startServer } from './server';

const source = join(root, 'test/extension/web');
const bundle = join(root, 'dist/test/web');
/** The path from which the page loads the extension, on the workbench's own origin because its policy allows no other. */
const prefix = '/__extension/';

/** Bundles mocha and all tests into one script, and returns the number of test files. */
async function buildTests(): Promise<number> {
  const tests = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  if (!tests.length) throw new HostError(`no *.test.ts in ${source}`);
  removeFolder(bundle);
  const contents = `
    import 'mocha/mocha.js';
    import report from './test/host/reporter';
    export async function run() {
      mocha.setup({ ui: 'bdd', timeout: 60000, forbidOnly: true, reporter: report });
      ${tests.map((name) => `await import(${JSON.stringify(`./test/extension/web/${name}`)});`).join('\n')}
      const failures = await new Promise((done) => mocha.run(done));
      if (failures > 0) throw new Error(failures + ' failed');
    }`;
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    outfile: join(bundle, 'index.js'),
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    // mocha's bundle assigns `module.exports` if it exists, so ours are assigned after it.
    format: 'iife',
    globalName: 'tests',
    footer: { js: 'module.exports = { run: tests.run };' },
    external: ['vscode'],
    define: { global: 'globalThis' },
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [
      withExpected,
      {
        name: 'without-node',
        setup(it) {
          it.onResolve({ filter: /^node:assert\/strict$/ }, () => ({ path: join(root, 'test/host/shims/assert.ts') }));
        },
      },
    ],
  });
  return tests.length;
}

interface WebConfiguration {
  developmentOptions?: object;
  folderUri?: object;
  remoteAuthority?: string;
}

/** Returns the workbench's page with the extension and the tests added to its configuration. */
async function withExtension(route: Route, port: number): Promise<void> {
  const response = await route.fetch();
  const html = await response.text();
  const uri = (path: string) => ({ scheme: 'http', authority: `127.0.0.1:${port}`, path: `${prefix}${path}` });
  const settings = /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/;
  const [, , escaped] = settings.exec(html) ?? [];
  if (escaped === undefined) throw new HostError('the page of VS Code has no configuration');
  const configuration = JSON.parse(unescape(escaped)) as WebConfiguration;
  configuration.developmentOptions = { extensions: [uri('')], extensionTestsPath: uri('dist/test/web/index.js') };
  await route.fulfill({ response, body: html.replace(settings, (_, start: string) => `${start}${escapeHtml(JSON.stringify(configuration))}"`) }); // prettier-ignore
}

const unescape = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const types: Readonly<Record<string, string>> = { js: 'text/javascript', json: 'application/json', css: 'text/css' };

/** Serves the extension's files as a web server does, without listings of folders. */
async function serveFile(route: Route): Promise<void> {
  const path = normalize(decodeURIComponent(new URL(route.request().url()).pathname.slice(prefix.length)));
  const file = join(root, path);
  const isFile = !path.startsWith('..') && existsSync(file) && statSync(file).isFile();
  if (!isFile) return route.fulfill({ status: 404 });
  const contentType = types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return route.fulfill({ status: 200, contentType, body: readFileSync(file) });
}

async function routed(context: BrowserContext, port: number): Promise<void> {
  await context.route(`**${prefix}**`, serveFile);
  await context.route(
    (url) => url.port === String(port) && url.pathname === '/',
    (route) => withExtension(route, port),
  );
}

const noise =
  /^(Resolv(ing|ed)|Creating a socket|Updating additional|Ignoring fetching|ChatSessionStore|\[Service Worker\]|\[perf\])/;

async function tested(page: Page, url: string): Promise<number> {
  const ended = new Promise<number>((done) => {
    void page.exposeFunction('codeAutomationExit', (code: number) => done(code));
  });
  const person = peopleIn(page);
  await page.exposeFunction('codeAutomationLog', (_: string, args: unknown[]) => {
    const line = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ');
    const asked = /^person: (.*)$/s.exec(line)?.[1];
    if (asked !== undefined) person(JSON.parse(asked) as Deed[]);
    else if (!noise.test(line)) console.log(line);
  });
  if (process.env['EXPLAIN_ATTENTION_WEB_LOG']) page.on('console', (message) => console.log(`page: ${message.text()}`));
  await page.goto(url, { timeout: 60_000 });
  return ended;
}

async function main(): Promise<void> {
  const files = await buildTests();
  const server = await startServer({ settings: randomWeights });
  // Chromium does not know the address of a page that the test provides; without these switches it would refuse the page's web sockets to the server.
  const browser = await launchChromium({ args: ['--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests'] });
  try {
    const context = await browser.newContext();
    await routed(context, server.port);
    console.log(`${files} test files`);
    const page = await context.newPage();
    const code = await within(300, 'the tests did not end', tested(page, server.url({ folder: freshFolder('web') })));
    process.exitCode = code;
  } finally {
    await browser.close();
    await server.stop();
  }
} // prettier-ignore

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(() => process.exit());
