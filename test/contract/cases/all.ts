import type { Groups } from '../case.ts';
import { body } from './body.ts';
import { caller } from './caller.ts';
import { fields } from './fields.ts';
import { order } from './order.ts';
import { target } from './target.ts';
import { update } from './update.ts';

export const groups: Groups = { ...caller, ...body, ...fields, ...target, ...update, ...order };
