type Cleanup = () => unknown

const cleanups: Cleanup[] = []
let isOpen = false

/**
 * Runs `end` when the calling test file is over, whether it is called at the top of the file, in a hook or in a test:
 * the runner's own `afterAll` is never called when it is given in a test. What was started last ends first.
 */
export function cleanUpAfterFile(end: Cleanup): void {
  if (!isOpen)
    throw new Error('the project’s setupFiles must call openFile() and closeFile(), as testing/setup.ts does')
  cleanups.push(end)
}

/** A test file begins. */
export function openFile(): void {
  isOpen = true
}

/** A test file is over. Everything ends, also after something could not; then this throws. */
export async function closeFile(): Promise<void> {
  isOpen = false
  const errors: unknown[] = []
  for (let end = cleanups.pop(); end !== undefined; end = cleanups.pop()) {
    try {
      await end()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, 'several things could not be ended')
}
