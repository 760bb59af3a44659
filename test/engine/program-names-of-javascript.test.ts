// Names that every object of JavaScript has: a program may use them as any other.
import assert from 'node:assert/strict';
import { finish } from '../../engine/text';
import { namesOf, runProgram } from '../../engine/program/index';

const words = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf', '__defineGetter__']; // prettier-ignore

const uses = (w: string): string[] => [
  `Q = ${w}`, `Q = ${w}(1)`, `Q = np.${w}(2)`, `Q = torch.${w}`, `Q = np.array([[1.0, 2.0]]).${w}(1)`, `Q = np.zeros(2, ${w}=3)`,
  `import ${w}\nQ = ${w}.a(1)`, `from ${w} import a\nQ = a(2)`, `from torch import ${w}\nQ = ${w}(2)`, `x = {}\nx['${w}'] = 1\nQ = x['${w}']`,
  `class A:\n  ${w} = 1\nQ = A().${w}`, `Q = np.zeros(2, dtype='${w}')`, `Q = np.zeros(2, dtype=np.${w})`, `Q = np.array([1.0]).astype('${w}')`,
  `Q = 'a'.${w}()`, `Q = [1].${w}`, `Q = (1).${w}(2)`, `Q = f"{${w}}"`, `@${w}\ndef f(): return 1\nQ = f()`, `raise ${w}('a')`,
  `try:\n  f()\nexcept ${w}:\n  Q = 1`, `Q = nn.${w}(2)`, `Q = math.${w}(2)`, `Q = tf.${w}(1)`, `Q = einops.rearrange(np.ones((2, 2)), '${w} b -> b ${w}')`,
]; // prettier-ignore

describe('names of JavaScript in a program', () => {
  for (const word of words)
    it(`${word} is read as any other name`, () => {
      for (const text of uses(word)) {
        runProgram(text);
        finish(namesOf(text, undefined));
      }
      const { names } = runProgram(`${word} = 2\nQ = ${word} + 1`);
      const found = names.get('Q');
      assert.ok(found?.kind === 'int', JSON.stringify(found?.kind));
      assert.equal(Number(found.value), 3);
    });
});
