/** Returns a line of a shell that pipes a text into a command. */
export const piped = (text: string, command: string) => `${command} <<'END'\n${text}\nEND`
