import type { OutputOf, Resource, RouteName } from '../../contract.ts'
import { botOutputs } from './bots.ts'
import { inputExamples } from './inputs.ts'
import { ofAccount } from './outputs-account.ts'
import { ofConversations } from './outputs-conversations.ts'
import { ofNumbers } from './outputs-numbers.ts'
import { ofPeople } from './outputs-people.ts'
import { planned } from './outputs-planned.ts'
import { sending } from './outputs-sending.ts'
import { watched } from './outputs-watching.ts'

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T

/** Example responses by resource and route. */
export type Outputs = {
  readonly [R in Resource]?: { readonly [N in RouteName<R>]?: DeepReadonly<OutputOf<R, N>> }
}

type Fields = Readonly<Record<string, unknown>>
type Table = Readonly<Record<string, Readonly<Record<string, Fields>>>>

const outputs: Table = {
  ...sending,
  ...watched,
  ...planned,
  ...ofNumbers,
  ...ofPeople,
  ...ofConversations,
  ...ofAccount,
  bots: botOutputs,
}
const inputs: Table = inputExamples

/** Returns the example input of an operation in one flat object, or undefined when it takes none. */
export function inputExample(resource: string, name: string): Fields | undefined {
  return inputs[resource]?.[name]
}

/** Returns the example response of an operation, or undefined for the document itself. */
export function outputExample(resource: string, name: string): Fields | undefined {
  return outputs[resource]?.[name]
}
