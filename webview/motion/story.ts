import type { Story } from './frame';
import { linesStory } from './lines';
import type { Material } from './material';
import { poursRows, pourStory } from './pour';
import { productStory } from './products';
import { softmaxStory } from './softmax';
import { turnStory } from './turn';

/** The frames of a computation, for a stage with this much room. The same material and room give the same frames. */
export function storyOf(material: Material, room: number): Story {
  const { op } = material.step.call;
  if (op === 'softmax') return softmaxStory(material, room);
  if (op === 'divide' || op === 'mask') return linesStory(material, room);
  if (op === 'rope') return turnStory(material, room);
  return poursRows(material) ? pourStory(material, room) : productStory(material, room);
}
