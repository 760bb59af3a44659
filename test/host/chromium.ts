// Finds Chromium (or Chrome, or Edge) for the tests, installs it where that is possible, and starts it.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { install, type Installation, osRelease } from './apt';
import { onPath } from './paths';
import { HostError } from './processes';

export interface ChromiumOptions {
  /** Enables WebGPU in software (SwiftShader), so that a machine without a graphics card has an adapter. */
  webgpu?: boolean;
  /** Further command-line switches. */
  args?: string[];
  /** Show the window. */
  headed?: boolean;
}

const names = [
  'chromium',
  'google-chrome',
  'google-chrome-stable',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
];

/** The path of a browser: EXPLAIN_ATTENTION_CHROMIUM, the usual places, or Playwright's own download; undefined if there is none. */
export function findChromium(): string | undefined {
  const chosen = process.env['EXPLAIN_ATTENTION_CHROMIUM'];
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new HostError(`EXPLAIN_ATTENTION_CHROMIUM is ${chosen}, which does not exist`);
  }
  return [...usualPlaces(), chromium.executablePath()].find((path) => existsSync(path) && starts(path));
}

function usualPlaces(): string[] {
  if (process.platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (app) => `Applications/${app}.app/Contents/MacOS/${app}`,
    );
    return ['/', homedir()].flatMap((base) => apps.map((app) => join(base, app)));
  }
  if (process.platform === 'win32') {
    const bases = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
      .map((name) => process.env[name] ?? '')
      .filter(Boolean);
    const programs = [
      'Google/Chrome/Application/chrome.exe',
      'Chromium/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ];
    return bases.flatMap((base) => programs.map((program) => join(base, program)));
  }
  const found = names.map((name) => onPath(name)).filter((path) => path !== undefined);
  return [
    ...found,
    ...names.map((name) => `/usr/bin/${name}`),
    '/opt/google/chrome/chrome',
    '/usr/lib64/chromium-browser/chromium-browser',
  ];
}

/**
 * Whether the program runs. Ubuntu's `chromium-browser` without snap is a script that only prints a message. Checked on Linux only: Chrome on Windows
 * would open a window.
 */
function starts(path: string): boolean {
  if (process.platform !== 'linux') return true;
  return spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;
}

/** The path of a browser. Installs one on Debian and Ubuntu if run as root, and else fails with the command that installs it. */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found) return found;
  const way = installation();
  await install('Chromium', way);
  const installed = findChromium();
  if (!installed) throw new HostError(`Chromium does not start after: ${way.command}. Try: ${playwrightInstall}`);
  return installed;
}

const playwrightInstall = 'npx playwright-core install --with-deps chromium';

/** How Chromium is installed on this system. Ubuntu's package is a snap, which cannot run in containers, so Playwright's build is used there. */
function installation(release = osRelease()): Installation {
  if (process.platform === 'darwin') return { command: 'brew install --cask chromium' };
  if (process.platform === 'win32') return { command: 'winget install Google.Chrome' };
  if (/^ID=ubuntu$/m.test(release))
    return { command: 'sudo apt-get install -y chromium-browser', apt: ['chromium-browser'] };
  if (/^ID(_LIKE)?=.*debian/m.test(release)) return { command: 'sudo apt-get install -y chromium', apt: ['chromium'] };
  if (/^ID(_LIKE)?=.*fedora/m.test(release)) return { command: 'sudo dnf install -y chromium' };
  return { command: playwrightInstall };
}

/** The path of the JSON file that describes SwiftShader to Vulkan, beside the browser: VK_ICD_FILENAMES for WebGPU in Node (package `webgpu`). */
export function swiftShaderIcd(browser = findChromium()): string | undefined {
  const folders = browser ? [dirname(realpathSync(browser)), '/usr/lib/chromium', '/usr/lib64/chromium-browser'] : [];
  return folders.map((folder) => join(folder, 'vk_swiftshader_icd.json')).find((path) => existsSync(path));
}

/** Options for playwright-core's `chromium.launch` that start the browser which was found. */
export async function launchOptions(options: ChromiumOptions = {}): Promise<LaunchOptions> {
  const webgpu = options.webgpu ? ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'] : [];
  const still = [
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
  ];
  return {
    executablePath: await ensureChromium(),
    headless: !options.headed,
    // Chromium has no sandbox for root, and containers do not allow one. The pages are our own.
    chromiumSandbox: false,
    args: [...still, ...webgpu, ...(options.args ?? [])],
    timeout: 60_000,
  };
}

/** Starts the browser with an empty profile. */
export async function launchChromium(options: ChromiumOptions = {}): Promise<Browser> {
  return chromium.launch(await launchOptions(options));
}
