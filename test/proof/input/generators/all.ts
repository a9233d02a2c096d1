import type { Generator } from '../support/generator.ts';
import { apiKeyGenerators } from './api-keys.ts';
import { bodyGenerators } from './bodies.ts';
import { bodyEncodingGenerators } from './body-encodings.ts';
import { callerIdGenerators } from './caller-ids.ts';
import { eventShapeGenerators } from './event-shapes.ts';
import { eventSourceGenerators } from './event-sources.ts';
import { fieldGenerators } from './fields.ts';
import { headerGenerators } from './headers.ts';
import { ifMatchGenerators } from './if-match.ts';
import { mediaTypeGenerators } from './media-types.ts';
import { pathGenerators } from './paths.ts';
import { sizeGenerators } from './sizes.ts';

/** Every generator of bad requests. */
export const allGenerators: readonly Generator[] = [
  ...callerIdGenerators,
  ...apiKeyGenerators,
  ...headerGenerators,
  ...pathGenerators,
  ...bodyGenerators,
  ...bodyEncodingGenerators,
  ...fieldGenerators,
  ...sizeGenerators,
  ...mediaTypeGenerators,
  ...ifMatchGenerators,
  ...eventSourceGenerators,
  ...eventShapeGenerators,
];
