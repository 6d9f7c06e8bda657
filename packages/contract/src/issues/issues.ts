import type * as z from 'zod'
import type { Issue, IssueCode } from '../model/envelope.ts'
import { describeIssue } from './describe-issue.ts'

/** Faults reported for one request at most: ten thousand rows can have more than a person reads. */
export const maxIssues = 100
/** A field's name may hold a key that the caller chose, of any length. */
const maxFieldLength = 200

type ZodIssue = z.core.$ZodIssue

/** What to pass to a schema's `safeParse`, so that faults without words of their own get ours. */
export const parseOptions = { error: describeIssue } as const

/** Turns the faults a schema found in `input` into the issues of a VALIDATION_ERROR; `whole` names the input itself. */
export function toIssues(faults: readonly ZodIssue[], input: unknown, whole: string): Issue[] {
  return faults.slice(0, maxIssues).map((fault) => {
    const field = fault.path.map(String).join('.').slice(0, maxFieldLength) || whole
    if (isAbsent(fault, input)) return { field, code: 'required', message: 'is required' }
    return { field, code: codeOf(fault), message: fault.message, ...bound(fault) }
  })
}

/** Returns message and details of the VALIDATION_ERROR for these faults; there is at least one. */
export function describeIssues(issues: readonly Issue[]): { message: string; details: Record<string, string[]> } {
  const details = new Map<string, string[]>()
  for (const { field, message } of issues) details.set(field, [...(details.get(field) ?? []), message])
  const [first] = issues
  const others = issues.length - 1
  const more = others === 0 ? '' : ` There ${others === 1 ? 'is 1 more fault' : `are ${others} more faults`}.`
  return { message: `${first?.field} ${first?.message}.${more}`, details: Object.fromEntries(details) }
}

const presence = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

/** Whether the caller left the value out. What a text was split into is not there either, but it was not left out. */
function isAbsent({ code, path }: ZodIssue, input: unknown): boolean {
  const [key] = path.slice(-1)
  const holder = valueAt(input, path.slice(0, -1))
  if (!presence.has(code) || key === undefined || typeof holder !== 'object' || holder === null) return false
  return valueAt(holder, [key]) === undefined
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    return Reflect.get(value, key)
  }, input)
}

const formats: Readonly<Record<string, IssueCode>> = {
  uuid: 'invalid_uuid',
  datetime: 'invalid_datetime',
  url: 'invalid_url',
}

const issueCodes: Partial<Record<ZodIssue['code'], IssueCode>> = {
  invalid_type: 'invalid_type',
  too_small: 'too_small',
  too_big: 'too_big',
  invalid_value: 'invalid_enum',
}

function codeOf(fault: ZodIssue): IssueCode {
  if (fault.code === 'invalid_format') return formats[fault.format] ?? 'custom'
  if (fault.code === 'custom') return namedBySchema(fault.params)
  return issueCodes[fault.code] ?? 'custom'
}

/** A rule of the contract's own names its code in `params`, such as `invalid_phone`. */
function namedBySchema(params: Record<string, unknown> | undefined): IssueCode {
  const code = params?.code
  const known: readonly string[] = ['invalid_phone', 'invalid_datetime', 'invalid_url', 'invalid_uuid', 'required']
  return typeof code === 'string' && known.includes(code) ? (code as IssueCode) : 'custom'
}

function bound(fault: ZodIssue): Pick<Issue, 'minimum' | 'maximum'> {
  if (fault.code === 'too_small') return { minimum: Number(fault.minimum) }
  if (fault.code === 'too_big') return { maximum: Number(fault.maximum) }
  return {}
}
