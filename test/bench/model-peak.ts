// Prints the 128-bit peak of a product and a sum, in 10⁹ multiply-adds a second: in a process of its own, whose compiler would slow what is measured beside it.
import { peakModule, peakProbe } from './peak';

async function main(): Promise<void> {
  const probe = peakProbe(await peakModule(false));
  let most = 0;
  // V8 may take a while to replace the first code of a module.
  for (const until = performance.now() + 2000; performance.now() < until;) most = Math.max(most, probe());
  console.log(most);
}

void main();
