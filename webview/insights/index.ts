/* Insights as cards: what the present step shows in the reader's own numbers. */

export { createWhy, type Why } from './insights';
