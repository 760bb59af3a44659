/**
 * Viridis (Nathaniel Smith and Stéfan van der Walt, matplotlib 1.5; CC0) at 33 evenly spaced points. Linear interpolation between them is within
 * 1/255 of the original table.
 */
export const viridis =
  '440154 470d60 48186a 482374 472d7b 453781 424086 3e4989 3b528b 375b8d 33638d 2f6b8e 2c728e 297a8e 26828e 23898e 21918c ' +
  '1f978b 1f9f88 21a685 27ad81 31b57b 3dbc74 4cc26c 5cc863 6ece58 81d34d 95d840 aadc32 c0df25 d5e21a eae51a fde725';

/**
 * Eight hues that remain distinct with the common kinds of colour blindness (Okabe and Ito 2002, “Color Universal Design”), with grey instead of
 * black.
 */
export const okabeIto = 'e69f00 56b4e9 009e73 f0e442 0072b2 d55e00 cc79a7 999999';
