#!/usr/bin/env node
// CommonJS, like the bundle: to load ES modules takes Node a fifth of the start.
const { statSync } = require('node:fs')
const nodeModule = require('node:module')
const path = require('node:path')

/** When a file was written; 0 when it is not there. */
function writtenAt(file) {
  return statSync(path.join(__dirname, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

// In a checkout the bundle may be older than what was compiled since; then the compiled files are run as they are.
const compiled = ['..', '../../client', '../../contract'].map((folder) => writtenAt(`${folder}/dist/.tsbuildinfo`))
const bundled = writtenAt('../dist/bundle/main.cjs')

// Node 22 and later keep the compiled form of a program between runs.
nodeModule.enableCompileCache?.()
if (bundled > 0 && bundled >= Math.max(...compiled)) require('../dist/bundle/main.cjs')
else void import('../dist/main.js')
