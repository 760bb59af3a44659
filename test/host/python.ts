// Finds a Python with NumPy and PyTorch, with debugpy, in whose stopped programs values are read, and with a kernel of notebooks. The tests compare with what it computes, in addition to recorded values.
import { spawnSync } from 'node:child_process';
import { install, type Installation, osRelease } from './apt';

/** The same candidates as test/reference/python.ts. */
const candidates = [process.env['PYTHON'], '/usr/bin/python3', 'python3', 'python'].filter(
  (name) => name !== undefined,
);

function hasModules(): boolean {
  const imports = (python: string) =>
    spawnSync(python, ['-c', 'import numpy, torch, debugpy, ipykernel, jupyter_client'], { timeout: 60_000 }).status ===
    0;
  return candidates.some(imports);
}

function installation(release = osRelease()): Installation {
  const packages = ['python3-numpy', 'python3-torch', 'python3-debugpy', 'python3-ipykernel', 'python3-jupyter-client'];
  if (!/^ID(_LIKE)?=.*debian/m.test(release))
    return { command: 'python3 -m pip install numpy torch debugpy ipykernel jupyter_client' };
  return { command: `sudo apt-get install -y ${packages.join(' ')}`, apt: packages };
}

/** Installs Python with NumPy, PyTorch, debugpy and ipykernel if possible. Fails with the command that does otherwise. */
export async function ensurePython(): Promise<void> {
  if (!hasModules()) await install('Python with NumPy, PyTorch, debugpy and ipykernel', installation());
}
