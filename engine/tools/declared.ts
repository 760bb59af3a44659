/* Tools as they are declared to a language model: in English, whatever the reader's language is. package.json declares them too, and a test compares. */
import type { Property, Tool } from './tool';

/** Properties by which each tool is told what to read. */
const sourceProperties = {
  text: {
    type: 'string',
    description:
      'What to read: Python that computes attention (NumPy, PyTorch, TensorFlow, JAX), or matrices in any notation (Q = [[1, 0], [0, 1]], K = …, V = …; or X with W_q, W_k, W_v), or a saved spec. Give this or file.',
  },
  file: { type: 'string', description: 'Path of a text file to read in place of text, relative to the folder.' },
} as const satisfies Readonly<Record<string, Property>>;

export const checkTool: Tool = {
  name: 'check_attention_numbers',
  title: 'Check numbers of attention',
  description:
    'Says whether printed numbers of attention (weights, scores, output) are right for the given code or matrices: which step they are, digit by digit, or which known mistake (no scale, softmax over the wrong axis, mask inverted or after the softmax, K not transposed, …) gives all of them, with the first cell that differs and the right number. Use it to check a result before you trust or explain it.',
  inputSchema: {
    type: 'object',
    properties: {
      ...sourceProperties,
      result: {
        type: 'string',
        description:
          'The numbers as they were printed, [[0.67, 0.33], [0.50, 0.50]], or the name of a matrix of the text. Without it, every matrix of the text that the attention does not start from, or the printed results in the comments of code.',
      },
      set: {
        type: 'object',
        additionalProperties: true,
        description: 'What the attention of given matrices should be, such as {"mask": "causal", "heads": 2}.',
      },
    },
    additionalProperties: false,
  },
};

export const cellTool: Tool = {
  name: 'explain_attention_cell',
  title: 'Explain a cell of attention',
  description:
    'Computes attention exactly (in the number type and order that the code states) and returns one cell of one step with every term of its arithmetic: dot products, scale, mask, softmax, weighted sum. Without a cell it lists the steps with their ids, shapes and formulas. Use it in place of computing attention yourself.',
  inputSchema: {
    type: 'object',
    properties: {
      ...sourceProperties,
      cell: {
        type: 'string',
        description: 'Step and index from 0, such as weights[1,0], or weights[h,i,j] with heads. Leave it out to list the steps.',
      },
      line: { type: 'integer', minimum: 1, description: 'Line of the code whose attention is meant; else the last.' },
      digits: { type: 'integer', minimum: 0, maximum: 17, description: 'Digits after the point (6).' },
      set: {
        type: 'object',
        additionalProperties: true,
        description: 'Fields to set where matrices are given, such as {"mask": "causal", "heads": 2, "dtype": "float32"}.',
      },
    },
    additionalProperties: false,
  },
}; // prettier-ignore

export const shapesTool: Tool = {
  name: 'check_shapes',
  title: 'Check shapes of attention',
  description:
    'Says whether shapes fit together in attention and which shape each product has; where they do not fit, the first place, why, and what would fit (a transposed K, heads to repeat, a mask that needs axes). Give the shapes of Q, K, V and a mask, or Python code, whose lines are followed without running it: then each line with its shapes, and the exception that Python would raise.',
  inputSchema: {
    type: 'object',
    properties: {
      shapes: {
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'integer', minimum: 1 } },
        description: 'Shapes by name: {"Q": [2, 8, 5, 64], "K": [2, 8, 7, 64], "V": [2, 8, 7, 64], "mask": [5, 7]}. V and mask may be left out.',
      },
      ...sourceProperties,
    },
    additionalProperties: false,
  },
}; // prettier-ignore

export const liveTool: Tool = {
  name: 'explain_live_variable',
  title: 'Explain a live variable',
  description:
    'While a Python program is stopped in the VS Code debugger: type, shape, dtype, device and numbers of a variable (NumPy, PyTorch, JAX, TensorFlow, lists), read without changing the program. Large ones need a slice.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'A name or attribute of the stopped frame: attn, self.q. Calls are not evaluated.' },
      slice: { type: 'string', description: 'Indices as Python has them, such as 0, 3, :8, :8.' },
    },
    required: ['name'],
    additionalProperties: false,
  },
}; // prettier-ignore
