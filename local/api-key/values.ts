import * as z from 'zod';
import { roles } from '#lib/domain/api-key.ts';
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
const DateSchema = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);
const DaysSchema = z
  .string()
  .regex(/^\d{1,3}$/)
  .transform(Number);

/** How long a rotated key lives on: long enough for a holder who deploys once a week. */
const usualDays = '7';
const secondsPerDay = 86_400;

export const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

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
export const readDate = (option: string, value: string, now: Date): number => {
  const date = DateSchema.safeParse(value).data;
  if (date === undefined) return refuse(`${option} must be like 2030-01-31 or 2030-01-31T12:00:00Z`);
  const time = Date.parse(date);
  return time > now.getTime() ? Math.floor(time / 1000) : refuse(`${option} must be in the future`);
};

/** Epoch seconds at which a rotated key is to expire. */
export const readOldKeysEnd = (
  { keep, until }: { keep?: string | undefined; until?: string | undefined },
  now: Date,
): number => {
  if (keep !== undefined && until !== undefined) return refuse('--keep and --until exclude each other');
  if (until !== undefined) return readDate('--until', until, now);
  const days = DaysSchema.safeParse(keep ?? usualDays).data;
  if (days === undefined) return refuse('--keep must be a number of days from 0 to 999');
  return toSeconds(now) + days * secondsPerDay;
};
