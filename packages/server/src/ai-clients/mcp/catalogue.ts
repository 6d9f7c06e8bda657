import { type Access, contract, missingProducts, type Route } from '@msgctl/contract'
import type { RouteRef, Tool, ToolRights } from './tool.ts'
import { getAction } from './tools/actions.ts'
import { findChats, findContacts, listUnread, readChat } from './tools/chats.ts'
import { cancelReminder, createCampaign, createReminder, markRead, startCampaign } from './tools/managing.ts'
import { checkNumbers, listNumbers } from './tools/numbers.ts'
import { getCampaign, getMessage, listCampaigns, listReminders } from './tools/records.ts'
import { sendMessage } from './tools/sending.ts'

/** Every tool, in the order in which clients see them. */
const tools: readonly Tool[] = [
  listNumbers,
  findChats,
  listUnread,
  findContacts,
  readChat,
  getMessage,
  checkNumbers,
  listCampaigns,
  getCampaign,
  listReminders,
  getAction,
  sendMessage,
  markRead,
  createReminder,
  cancelReminder,
  createCampaign,
  startCampaign,
]

const byName = new Map(tools.map((tool) => [tool.name, tool]))

/** Returns the tool of this name, or undefined. */
export function findTool(name: string): Tool | undefined {
  return byName.get(name)
}

/** Returns a route of the contract. */
export function routeOf([resource, name]: RouteRef): Route {
  const routes: Record<string, Route> = contract[resource]
  const route = routes[name]
  if (!route) throw new Error(`the contract has no ${resource}.${name}`)
  return route
}

/** Returns the tools that a caller may use. The routes behind them check the same again at each call. */
export function toolsFor(rights: ToolRights): readonly Tool[] {
  return tools.filter(
    (tool) => rights.scopes.has(tool.scope) && !isReadOnlyRefused(tool, rights) && isOpen(tool, rights),
  )
}

/** Returns whether a caller who only reads may not use the tool. */
export function isReadOnlyRefused(tool: Tool, { isReadOnly }: Pick<ToolRights, 'isReadOnly'>): boolean {
  return isReadOnly && !tool.hints.readOnlyHint
}

function isOpen(tool: Tool, rights: ToolRights): boolean {
  if (tool.route === null) return true
  const access: Access = routeOf(tool.route(rights)).access
  if (rights.containerId !== null && access.keys !== 'any') return false
  return access.feature === undefined || missingProducts(access.feature, rights.products, rights.isKey).length === 0
}
