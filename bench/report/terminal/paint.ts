import { styleText } from 'node:util';

export type Colour = 'green' | 'red' | 'dim' | 'bold';

/** Colours a text for a terminal where that was asked for; else leaves it as it is. */
export const paint = (text: string, colour: Colour | undefined, coloured: boolean): string =>
  coloured && colour !== undefined ? styleText(colour, text, { validateStream: false }) : text;
