// A small Debian without Node in a folder of its own, which a program takes for the whole computer. Needs root and mmdebstrap.
import { execFileSync, spawn } from 'node:child_process'
import { type Ended, ended, runProgram } from './child.ts'

/** What dpkg needs to install a package, and what Node needs to start. */
const packages =
  'base-files,base-passwd,coreutils,dash,diffutils,dpkg,grep,libc-bin,mawk,sed,libatomic1,libgcc-s1,libstdc++6'

/** Installs Debian into a folder, which is created, from the mirror and in the release that this computer uses itself. */
export async function debianRoot(folder: string): Promise<void> {
  const format = '$(RELEASE) $(COMPONENT) $(REPO_URI)'
  const { stdout } = await runProgram('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'])
  const [release = 'bookworm', , ...mirror] =
    stdout
      .split('\n')
      .find((line) => line.includes(' main '))
      ?.split(' ') ?? []
  const which = ['--variant=custom', '--components=main', `--include=${packages}`, '--aptopt=Acquire::Retries "3"']
  const { exitCode, stderr } = await runProgram('mmdebstrap', ['--quiet', ...which, release, folder, ...mirror])
  if (exitCode !== 0) throw new Error(`mmdebstrap failed: ${stderr}`)
}

/** Runs a program inside, with no environment but the given one. */
export async function runIn(folder: string, argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return await ended(spawn('/usr/sbin/chroot', [folder, ...argv], { env: { PATH: '', ...env } }))
}

/** Returns the path of everything inside but what dpkg writes down about itself. Follows no link: some lead out of the folder. */
export function pathsIn(folder: string): Set<string> {
  const paths = execFileSync('find', [folder, '-printf', '%P\n'], { encoding: 'utf8' }).trimEnd().split('\n')
  return new Set(paths.filter((path) => !/^var\/(lib\/dpkg|log\/dpkg\.log)(\/|$)/.test(path)))
}
