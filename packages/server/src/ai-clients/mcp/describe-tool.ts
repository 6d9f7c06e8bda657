import * as z from 'zod'
import type { Tool } from './tool.ts'

/** A tool as the protocol lists it. */
export interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObjectSchema
  readonly outputSchema: JsonObjectSchema
  readonly annotations: Tool['hints'] & { readonly title: string }
}

type JsonObjectSchema = { type: 'object' } & Record<string, unknown>

const described = new WeakMap<Tool, ListedTool>()

/** Returns a tool with its JSON Schemas, which are made once. */
export function describeTool(tool: Tool): ListedTool {
  const known = described.get(tool) ?? describe(tool)
  described.set(tool, known)
  return known
}

function describe({ name, title, description, input, output, hints }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: toSchema(input, 'input'),
    outputSchema: toSchema(output, 'output'),
    annotations: { title, ...hints },
  }
}

function toSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonObjectSchema {
  // Records of the contract have ids, which would become references that some clients do not resolve.
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any' })
  return { ...json, type: 'object' }
}
