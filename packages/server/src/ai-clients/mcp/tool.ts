import type { AiScope, Contract, Product } from '@msgctl/contract'
import type * as z from 'zod'
import type { RawInput } from '#api/http/parse.ts'

export type Scope = AiScope

/** A route of the contract by resource and name. */
export type RouteRef = { [R in keyof Contract]: readonly [R, keyof Contract[R]] }[keyof Contract]

/** The hints to clients about the effects of a tool (tool annotations of the protocol). */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** What a tool does to other people, by its arguments. */
interface Effect<Args = Record<string, unknown>> {
  /** Whether a person always decides, or only about people who never wrote. */
  readonly waits: 'always' | 'strangers'
  /** Who gets the message; null for a campaign. */
  recipient(args: Args): string | null
  /** The text that is sent; null for a campaign. */
  text(args: Args): string | null
}

/** What decides which route a tool calls. */
interface ToolCaller {
  /** The number of a number's key or connection, else null. */
  readonly containerId: string | null
}

/** A tool: one route of the contract, in words for a model. Texts are constants, never of a tenant. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scope: Scope
  readonly hints: Hints
  /** The arguments, bounded more tightly than the route. */
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** The route behind it; null for get_action, which reads what became of a call. */
  readonly route: ((caller: ToolCaller) => RouteRef) | null
  /** Set for tools that send, now or later. */
  readonly effect?: Effect
  /** Returns the input of the route for arguments that `input` has parsed. */
  toInput(args: Record<string, unknown>, caller: ToolCaller): RawInput
  /** Returns the answer, structured as `output`, from the body of the route's response. */
  toAnswer(body: never): Record<string, unknown>
}

/** A tool with the types of its arguments and of its route's response. */
interface ToolDefinition<In extends z.ZodObject, Body> extends Omit<Tool, 'input' | 'effect' | 'toInput' | 'toAnswer'> {
  readonly input: In
  readonly effect?: Effect<z.output<In>>
  toInput(args: z.output<In>, caller: ToolCaller): Partial<RawInput>
  toAnswer(body: Body): Record<string, unknown>
}

/** Declares a tool. Arguments that it does not know are refused. */
export function tool<In extends z.ZodObject, Body>(definition: ToolDefinition<In, Body>): Tool {
  const { effect, input, ...others } = definition
  return {
    ...others,
    input: input.strict(),
    ...(effect && { effect: effect as Effect<never> as Effect }),
    toInput: (args, caller) => ({
      params: {},
      query: {},
      body: undefined,
      ...definition.toInput(args as z.output<In>, caller),
    }),
    toAnswer: (body) => definition.toAnswer(body as Body),
  }
}

/** Hints of a tool that changes nothing. */
export const reads: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Declares a tool that changes nothing. */
export function readTool<In extends z.ZodObject, Body>(
  definition: Omit<ToolDefinition<In, Body>, 'scope' | 'hints' | 'effect'>,
): Tool {
  return tool<In, Body>({ ...definition, scope: 'read', hints: reads })
}

/** The products of a caller, for the choice of tools. */
export interface ToolRights extends ToolCaller {
  readonly products: ReadonlySet<Product>
  readonly isKey: boolean
  readonly scopes: ReadonlySet<Scope>
  readonly isReadOnly: boolean
}
