/* The inspector: the arithmetic that made the selected cell, and where its value goes. */

export { createInspector, type Inspector } from './inspector';
