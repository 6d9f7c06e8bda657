/** A word or phrase that we do not write, with the better one. docs/build/style.md has the reasons. */
export interface Avoided {
  readonly pattern: RegExp
  readonly instead: string
  /** Whether only the beginning of a doc comment counts. */
  readonly startOfDoc?: boolean
  /** Files in which the word is right. */
  readonly except?: RegExp
}

/** In these files an answer is a record, which people write and an assistant gives. */
const aboutAssistants = new RegExp(
  [
    /\b(?:bots?|assistants?)\b|bot-|-bots|assistant-settings|admin-endpoints|admin-resources/,
    /traits\.ts|generated\/errors|descriptions\.ts|docs\/(?:use\/msgctl|run\/configuration)\.md/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Words before "answers" that make it a noun. */
const beforeNoun =
  'all|any|as|both|different|for|its|late|many|no|of|other|our|same|such|the|their|these|those|two|with|requests and'

/** Checked in comments, in strings of more than one word, and in Markdown outside of code. */
export const avoided: readonly Avoided[] = [
  { pattern: /^(?:Answers|Tells|Hears|Says)\b/, instead: 'Returns, Reports, Receives', startOfDoc: true },
  { pattern: /\bunless told\b/i, instead: 'default: ..., by default' },
  { pattern: /\banew\b/i, instead: 'again, re-' },
  { pattern: /\bthrice\b/i, instead: 'three times' },
  { pattern: /\bin vain\b/i, instead: 'without success, timed out' },
  { pattern: /\b(?:nobody|somebody|whoever)\b/i, instead: 'the party: no caller, another process, the receiver' },
  { pattern: /\bfor machines\b/i, instead: 'as JSON, for scripts' },
  { pattern: /\ba work\b(?! (?:in|week|day|queue|item))/i, instead: 'a task, the work' },
  { pattern: /\b(?:go|goes|going|went|gone) on\b/i, instead: 'continue' },
  { pattern: /\bmeanwhile\b/i, instead: 'in the meantime, concurrently, since then' },
  { pattern: /\b(?:tell|tells|told|telling)\b/i, instead: 'report, notify, give, return, know' },
  { pattern: /\bhears? of\b|\bheard of\b/i, instead: 'receive, be notified of' },
  {
    pattern: new RegExp(`(?<!<|\\b(?:${beforeNoun}) )\\banswers\\b(?! (?:to|for)\\b)`, 'i'),
    instead: 'returns (a function), responds (a handler)',
    except: aboutAssistants,
  },
  {
    pattern: /\basks? (?:the |its |our )?(?:database|network|service|server|Postgres|API)\b/i,
    instead: 'queries, requests',
  },
  {
    pattern: /\blook(?:s|ed|ing)? (?:again|at|for|every|whether|after|into|through)\b/i,
    instead: 'poll, read, check, search',
  },
  {
    pattern: /\b(?:takes?|taking|waits? for|await) (?:its|their|his|a|the) turn\b|\btakes? turns\b/i,
    instead: 'slot, permit, one after the other',
  },
  { pattern: /\b(?:nap|naps|patience|lingers?|lingering)\b/i, instead: 'sleep, wait, timeout, drain' },
  { pattern: /\b(?:mend|mends|mended|mending)\b/i, instead: 'repair' },
  { pattern: /\b(?:tends|tended|tending)\b(?! to\b)/i, instead: 'maintain' },
  { pattern: /\b(?:doubtful|stranded|stillborn|crowded)\b/i, instead: 'outcome unknown, blocked, rejected, saturated' },
]
