import { points, section } from '../markdown.ts';

/** What the page does not show. */
export const limitsSection = (): string =>
  section('Limits', [
    points([
      '**No real Lambda was measured.** DynamoDB is an embedded engine on the same machine, its distance a wait before ' +
        'each reply, TLS with a certificate of our own. What Lambda adds before the code is loaded is in no figure.',
      '**512 MB is emulated**: the code is loaded at full speed, as Lambda does it, and the first request runs under a ' +
        "CPU quota of that size. Where the machine allows no quota the figure is missing. Lambda's scheduler is not Linux's.",
      '**The machine is shared.** Ratios within a round hold up; milliseconds do not, and a ratio whose quartiles reach ' +
        'to both sides of 1 is a tie.',
      '**A code cache fits one build of Node**, one processor and one set of flags. Elsewhere V8 rejects it, and the ' +
        'start is that of the function without it.',
      'The cost is reckoned for arm64 from what was measured on the processor named above.',
    ]),
  ]);
