import { defineConfig } from 'vite'

/** What a page loads only when it is needed, although it lies in a folder of the first paint. */
const later =
  /\/(?:find|keyboard|links|send-dialog|list|code|copy|pager|scroll|filters)\.tsx$|words\/(?:ar|en\/assistants)/

/** Returns whether every page needs a module. */
function isNeededAtFirst(id: string): boolean {
  if (/node_modules\/.*\/(?:preact|preact-iso|@tanstack\/[a-z-]+)\//.test(id)) return true
  if (/packages\/console\/src\/(?:api|session|shell|ui|words|overview)\//.test(id))
    return !later.test(id) && !id.includes('admin-client') && !id.includes('first-run')
  return /packages\/client\/src\/(?!admin|generated)/.test(id)
}

/**
 * Files refer to each other by relative paths, so that a reverse proxy may add a prefix. Nothing is inlined: the policy
 * of the page allows scripts and styles of this origin only.
 */
export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['@msgctl/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // One file instead of forty small ones: it is packed better, and the browser asks less often.
      output: { codeSplitting: { groups: [{ name: 'first', test: isNeededAtFirst }] } },
    },
  },
})
