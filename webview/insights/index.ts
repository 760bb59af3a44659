/* Insights as cards: what the current step's values show, such as the softmax's sharpness or the effect of the scale. */

export { createWhy, type Why } from './insights';
