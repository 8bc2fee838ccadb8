// What package managers need to install an archive: a formula of Homebrew and a manifest of Scoop.
import { downloads } from './targets.ts'

export interface Released {
  version: string
  description: string
  /** The SHA-256 of each archive, by the name of its file. */
  checksums: ReadonlyMap<string, string>
}

/** Returns the formula of Homebrew; undefined unless all archives that it offers were made. */
export function homebrewFormula({ version, description, checksums }: Released): string | undefined {
  const block = (target: string) => {
    const file = `promo-${version}-${target}.tar.xz`
    const checksum = checksums.get(file)
    return checksum && `      url "${downloads}/${version}/${file}"\n      sha256 "${checksum}"`
  }
  const [macArm, macX64, linuxArm, linuxX64] = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map(block)
  if (!macArm || !macX64 || !linuxArm || !linuxX64) return undefined
  const system = (name: string, arm: string, intel: string) =>
    `  on_${name} do\n    on_arm do\n${arm}\n    end\n    on_intel do\n${intel}\n    end\n  end\n`
  return `class Promo < Formula
  desc "${description}"
  version "${version}"
  license "MIT"

${system('macos', macArm, macX64)}
${system('linux', linuxArm, linuxX64)}
  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"promo"
    man1.install Dir[libexec/"share/man/man1/*"]
    bash_completion.install libexec/"share/completions/promo.bash" => "promo"
    zsh_completion.install libexec/"share/completions/_promo"
    fish_completion.install libexec/"share/completions/promo.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/promo --version")
  end
end
`
}

/** Returns the manifest of Scoop; undefined unless the archive for Windows was made. */
export function scoopManifest({ version, description, checksums }: Released): string | undefined {
  const folder = `promo-${version}-win32-x64`
  const hash = checksums.get(`${folder}.zip`)
  if (hash === undefined) return undefined
  const url = `${downloads}/${version}/${folder}.zip`
  const manifest = {
    version,
    description,
    license: 'MIT',
    architecture: { '64bit': { url, hash, extract_dir: folder } },
    bin: 'promo.cmd',
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
