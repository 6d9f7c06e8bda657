// The objects that kustomize makes of deploy/kubernetes, each against the schema of its kind.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf, refusal, root } from '../../scripts/process.mjs'
import { call } from './programs.mjs'

/** @import { Context } from './service.mjs' */

/**
 * An object of Kubernetes.
 *
 * @typedef {object} Manifest
 * @property {string} apiVersion
 * @property {string} kind
 * @property {{ name: string }} metadata
 * @property {{ replicas?: unknown }} [spec]
 */

/** @typedef {{ parseAllDocuments: (text: string) => { toJSON: () => Manifest }[] }} Yaml */
/** @typedef {new (object: Manifest) => { validate: () => void }} Model */
/** @typedef {(name: string) => Promise<Record<string, Model>>} LoadModels */

const kinds = [
  'ConfigMap',
  'Deployment',
  'Deployment',
  'Ingress',
  'Job',
  'NetworkPolicy',
  'NetworkPolicy',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
]

/**
 * Builds the objects and validates each. Throws unless they are the expected ones, and a planted mistake is found.
 *
 * @param {Context} context
 */
export async function validateObjects({ folder }) {
  const own = path.join(folder, 'kubernetes')
  mkdirSync(own)
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(path.join(import.meta.dirname, file), path.join(own, file))
  call('npm', ['ci', '--prefix', own, '--no-audit', '--no-fund', '--prefer-offline', '--loglevel', 'error'])
  // Imported from there, because the packages are installed there.
  const loader = path.join(own, 'load.mjs')
  writeFileSync(loader, 'export const load = (name) => import(name)\n')
  const { load } = await import(pathToFileURL(loader).href)
  const { parseAllDocuments } = /** @type {Yaml} */ (await load('yaml'))
  const made = call('kubectl', ['kustomize', path.join(root, 'deploy/kubernetes')])
  const objects = parseAllDocuments(made).map((document) => document.toJSON())
  const found = objects.map(({ kind }) => kind).sort()
  if (found.join() !== kinds.join()) throw refusal(`kustomize made ${found.join(', ')}`)
  for (const object of objects) {
    const mistake = await mistakeOf(object, load)
    if (mistake !== null) throw refusal(`${object.kind} ${object.metadata.name}: ${mistake}`)
  }
  const planted = structuredClone(objects.find(({ kind }) => kind === 'Deployment'))
  if (planted?.spec === undefined) throw refusal('kustomize made no Deployment')
  planted.spec.replicas = 'two'
  if ((await mistakeOf(planted, load)) === null) throw refusal('The schemas accept a Deployment with "two" replicas')
  return `${objects.length} objects valid, a planted mistake found`
}

/**
 * Returns what the schema of an object refuses, or null.
 *
 * @param {Manifest} object
 * @param {LoadModels} load
 */
async function mistakeOf(object, load) {
  const { [object.kind]: Model } = await load(`kubernetes-models/${object.apiVersion}`)
  if (Model === undefined) return `There is no schema of ${object.apiVersion}`
  try {
    new Model(object).validate()
    return null
  } catch (error) {
    return messageOf(error)
  }
}
