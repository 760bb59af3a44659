import type { Story } from './frame';
import type { Material } from './material';
import { poursRows, pourStory } from './pour';
import { productStory } from './products';
import { softmaxStory } from './softmax';

/** The frames of a computation, for a stage with this much room. The same material and room give the same frames. */
export function storyOf(material: Material, room: number): Story {
  if (material.step.call.op === 'softmax') return softmaxStory(material, room);
  return poursRows(material) ? pourStory(material, room) : productStory(material, room);
}
