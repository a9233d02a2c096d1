import * as z from 'zod';
import { roles } from '#lib/domain/role.ts';
import { Complaint } from '../complaint.ts';

/** What the user decides about a key. `expiresAt` is in epoch seconds. */
export type NewKey = { tenantId: string; roles: string[]; name?: string; expiresAt?: number };

/** Refuses the command line with one sentence and the way to the usage. */
export const refuse = (problem: string): never => {
  throw new Complaint(`${problem.replace(/\.$/, '')}; npm run api-key -- --help shows how.`);
};

// As the function reads x-tenant-id: a key of any other tenant could never be used.
const TenantSchema = z.string().regex(/^[^\s\p{Cc}\p{Cf},]{1,128}$/u);
const NameSchema = z.string().regex(/^[^\p{Cc}]{1,128}$/u);
const RolesSchema = z.array(z.enum(roles)).min(1);
const ExpirySchema = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);

export const readTenant = (value: string | undefined): string => {
  if (value === undefined) return refuse('--tenant is missing');
  const rule = '--tenant must be 1 to 128 characters without white space, commas or control characters';
  return TenantSchema.safeParse(value).data ?? refuse(rule);
};

export const readName = (value: string): string =>
  NameSchema.safeParse(value).data ?? refuse('--name must be 1 to 128 characters without control characters');

export const readRoles = (values: string[] | undefined): string[] => {
  if (values === undefined) return refuse('--role is missing');
  return [
    ...new Set(RolesSchema.safeParse(values).data ?? refuse(`--role must be one of ${roles.join(', ')}`)),
  ];
};

/** Epoch seconds of a date, from 00:00 UTC, or of a date and time. */
export const readExpiry = (value: string, now: Date): number => {
  const date = ExpirySchema.safeParse(value).data;
  if (date === undefined) return refuse('--expires must be like 2030-01-31 or 2030-01-31T12:00:00Z');
  const time = Date.parse(date);
  return time > now.getTime() ? Math.floor(time / 1000) : refuse('--expires must be in the future');
};
