import type { Command } from 'commander'
import { commandRegistry } from '../command-registry.ts'
import { createProgram, loadCommands } from '../program.ts'

/** Returns the program with all commands loaded. */
export async function wholeProgram(): Promise<Command> {
  return createProgram(commandRegistry, await loadCommands(commandRegistry)).root
}

/** Returns every visible command that can be run, by its name. */
export function runnable(command: Command, words: readonly string[] = []): Map<string, Command> {
  const inner = command.createHelp().visibleCommands(command)
  const found = new Map<string, Command>()
  // A noun that does something without a verb is a command of its own, recognized by its action.
  if (words.length > 0 && (inner.length === 0 || acts(command))) found.set(words.join(' '), command)
  for (const each of inner) {
    if (each.name() === 'help') continue
    for (const [name, leaf] of runnable(each, [...words, each.name()])) found.set(name, leaf)
  }
  return found
}

function acts(command: Command): boolean {
  return (command as unknown as { readonly _actionHandler: unknown })._actionHandler != null
}
