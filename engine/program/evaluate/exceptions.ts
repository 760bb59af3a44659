/** Python's exceptions, with those of NumPy and einops that programs name. */
import { makeClass } from './classes';
import type { ClassValue, Value } from '../machine';

/** Each base with what is derived from it (docs.python.org, “Exception hierarchy”); a base stands above its own line. */
const derived: readonly (readonly [base: string, names: string])[] = [
  ['BaseException', 'Exception KeyboardInterrupt SystemExit GeneratorExit'],
  ['Exception', 'ArithmeticError AssertionError AttributeError BufferError EOFError ImportError LookupError MemoryError NameError OSError ReferenceError RuntimeError StopAsyncIteration StopIteration SyntaxError SystemError TypeError ValueError Warning'],
  ['ArithmeticError', 'FloatingPointError OverflowError ZeroDivisionError'],
  ['AttributeError', 'FrozenInstanceError'],
  ['ImportError', 'ModuleNotFoundError'],
  ['LookupError', 'IndexError KeyError'],
  ['NameError', 'UnboundLocalError'],
  ['OSError', 'BlockingIOError ChildProcessError ConnectionError FileExistsError FileNotFoundError InterruptedError IsADirectoryError NotADirectoryError PermissionError ProcessLookupError TimeoutError'],
  ['ConnectionError', 'BrokenPipeError ConnectionAbortedError ConnectionRefusedError ConnectionResetError'],
  ['RuntimeError', 'EinopsError NotImplementedError RecursionError'],
  ['SyntaxError', 'IndentationError'],
  ['IndentationError', 'TabError'],
  ['TypeError', 'UFuncTypeError'],
  ['ValueError', 'AxisError UnicodeError'],
  ['UnicodeError', 'UnicodeDecodeError UnicodeEncodeError UnicodeTranslateError'],
  ['Warning', 'BytesWarning DeprecationWarning EncodingWarning FutureWarning ImportWarning PendingDeprecationWarning ResourceWarning RuntimeWarning SyntaxWarning UnicodeWarning UserWarning'],
]; // prettier-ignore

export function makeExceptions(builtins: Map<string, Value>): void {
  builtins.set('BaseException', makeClass('BaseException'));
  for (const [base, names] of derived)
    for (const name of names.split(' ')) builtins.set(name, makeClass(name, [builtins.get(base) as ClassValue]));
  for (const name of ['IOError', 'EnvironmentError']) builtins.set(name, builtins.get('OSError') as ClassValue);
}
