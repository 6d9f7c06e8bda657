#!/usr/bin/env node
import { statSync } from 'node:fs'
import module from 'node:module'

/** When a file was written; 0 when it is not there. */
function writtenAt(file) {
  return statSync(new URL(file, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

// In a checkout the bundle may be older than what was compiled since; then the compiled files are run as they are.
const compiled = ['..', '../../client', '../../contract'].map((folder) => writtenAt(`${folder}/dist/.tsbuildinfo`))
const bundled = writtenAt('../dist/bundle/main.js')

// Node 22 and later keep the compiled form of a program between runs.
module.enableCompileCache?.()
await import(bundled > 0 && bundled >= Math.max(...compiled) ? '../dist/bundle/main.js' : '../dist/main.js')
