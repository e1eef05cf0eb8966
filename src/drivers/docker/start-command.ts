// How a start command that a person wrote becomes the process of a container, such that SIGTERM reaches the application.

export interface Command {
  entrypoint: string[]
  cmd: string[]
  env: Record<string, string>
}

// Not only operators: `cd x` or `A=1 node x` after `exec` would not be what was meant.
const operators = /[;&|\n(){}!`]/
const firstWord = /^(\S+)/
const shellWords = new Set(
  [
    '.',
    'case',
    'cd',
    'eval',
    'exec',
    'exit',
    'export',
    'for',
    'if',
    'read',
    'set',
    'source',
    'time',
    'trap',
    'ulimit',
  ].concat(['umask', 'unset', 'until', 'wait', 'while']),
)

/** True for a command line that is one program with its arguments: the shell can be replaced by it. */
export function isSimple(command: string): boolean {
  const first = firstWord.exec(command.trim())?.[1] ?? ''
  return !operators.test(command) && !first.includes('=') && !shellWords.has(first)
}

/**
 * A simple command replaces the shell and gets SIGTERM itself. In a compound one the shell must stay: SIGTERM then goes
 * to the whole process group (the container's init does that), the running program ends as it likes, and the shell
 * leaves instead of going on with the next command.
 */
export function shellCommand(command: string): Command {
  const shell = ['/bin/sh', '-c']
  if (isSimple(command)) return { entrypoint: shell, cmd: [`exec ${command.trim()}`], env: {} }
  return { entrypoint: shell, cmd: [`trap 'exit 143' TERM\n${command}`], env: { TINI_KILL_PROCESS_GROUP: '1' } }
}
