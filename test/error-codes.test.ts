import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { contract, type ErrorCode, listErrors, type Route } from '@msgctl/contract'
import { expect, it } from 'vitest'
import { limitCatalogue } from '../packages/server/src/api/access/limit-key.ts'
import { readSources } from './sources.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const server = readSources(root).filter(({ pack, forTests }) => pack === 'server' && !forTests)

/** Codes that a rule returns and its caller raises, each with the file of the rule. */
const raisedFromRules: Readonly<Record<string, string>> = { CAMPAIGN_INVALID_STATE: 'sending/campaigns/rules.ts' }

const catalogue = 'api/access/limit-key.ts'

/** Returns whether a limit with this code has a key somewhere. */
function isLimit(code: string): boolean {
  const names = Object.entries(limitCatalogue).flatMap(([name, facts]) => (facts.code === code ? [name] : []))
  return server.some(({ local, text }) => local !== catalogue && names.some((name) => text.includes(`'${name}'`)))
}

/** Returns whether the server constructs an error with `code`, in a file that is not for tests. */
function isRaised(code: string): boolean {
  const rule = server.find(({ local }) => local === raisedFromRules[code])
  if (rule) return rule.text.includes(`is: 'refused', code: '${code}'`)
  const construction = new RegExp(String.raw`\b(?:apiError|new ApiError)\(\s*'${code}'`)
  return isLimit(code) || server.some(({ text }) => construction.test(text))
}

it('lists no error code on a route that the server never raises', () => {
  const routes = Object.values<Record<string, Route>>(contract).flatMap((named) => Object.values(named))
  const listed = new Set<ErrorCode>(routes.flatMap((route) => listErrors(route)))
  expect(listed.size).toBeGreaterThan(40)
  expect([...listed].filter((code) => !isRaised(code))).toEqual([])
  expect(isRaised('NO_SUCH_CODE')).toBe(false)
})
