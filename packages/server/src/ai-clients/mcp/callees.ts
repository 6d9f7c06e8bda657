import { type Callee, calleeOf, type ErasedHandler } from '#api/http/call/callee.ts'
import type { HandlerTable } from '#api/http/mount.ts'
import { routeOf } from './catalogue.ts'
import type { RouteRef } from './tool.ts'

/** Returns a function that finds a route with its handler, joined once. */
export function calleesOf(
  handlers: HandlerTable,
  options: Pick<Callee, 'services' | 'strict'>,
): (ref: RouteRef) => Callee {
  const callees = new Map<string, Callee>()
  return (ref) => {
    const name = ref.join('.')
    const callee = callees.get(name) ?? calleeOf(routeOf(ref), handlerOf(handlers, ref), options)
    callees.set(name, callee)
    return callee
  }
}

function handlerOf(handlers: HandlerTable, [resource, name]: RouteRef): ErasedHandler {
  const named: Record<string, ErasedHandler | undefined> = handlers[resource] ?? {}
  const handler = named[name]
  if (!handler) throw new Error(`there is no handler of ${resource}.${String(name)}`)
  return handler
}
