//! Files for other package managers, filled with the version, address and sum of the archive.

use std::path::{Path, PathBuf};

use super::archive::{name, sum};
use super::facts::Facts;
use super::write;
use crate::Failure;

/// Writes the files for Homebrew, Nix, AUR and cargo-binstall into `out`; `url` is the folder that will have the
/// packages, and the first of `files` is the archive.
pub(super) fn write_all(
    facts: &Facts,
    url: &str,
    files: &[PathBuf],
    out: &Path,
) -> Result<(), Failure> {
    let Some(archive) = files.first() else { return Ok(()) };
    let filled = Filled { facts, address: format!("{url}/{}", name(archive)), sum: sum(archive)? };
    write(&out.join("homebrew/graftage.rb"), &filled.homebrew())?;
    write(&out.join("nix/flake.nix"), &filled.nix())?;
    write(&out.join("aur/PKGBUILD"), &filled.aur())?;
    write(&out.join("binstall/metadata.toml"), &filled.binstall(url))
}

struct Filled<'f> {
    facts: &'f Facts,
    address: String,
    sum: String,
}

impl Filled<'_> {
    fn homebrew(&self) -> String {
        let Facts { version, description, .. } = self.facts;
        format!(
            "class Graftage < Formula\n  desc \"{description}\"\n  homepage \"{}\"\n  url \"{}\"\n  \
             version \"{version}\"\n  sha256 \"{}\"\n  license any_of: [\"MIT\", \"Apache-2.0\"]\n\n  \
             depends_on :linux\n\n  def install\n    bin.install \"graftage\"\n    man1.install Dir[\"man/*.1\"]\n    \
             bash_completion.install \"completions/graftage.bash\" => \"graftage\"\n    \
             zsh_completion.install \"completions/_graftage\"\n    \
             fish_completion.install \"completions/graftage.fish\"\n  end\n\n  test do\n    \
             assert_match \"graftage {version}\", shell_output(\"#{{bin}}/graftage -V\")\n  end\nend\n",
            self.folder(),
            self.address,
            self.sum
        )
    }

    fn nix(&self) -> String {
        let Facts { version, description, .. } = self.facts;
        format!(
            "{{\n  description = \"{description}\";\n  inputs.nixpkgs.url = \"nixpkgs\";\n  \
             outputs = {{ self, nixpkgs }}:\n    let pkgs = nixpkgs.legacyPackages.x86_64-linux; in {{\n      \
             packages.x86_64-linux.default = pkgs.stdenv.mkDerivation {{\n        pname = \"graftage\";\n        \
             version = \"{version}\";\n        src = pkgs.fetchurl {{\n          url = \"{}\";\n          \
             sha256 = \"{}\";\n        }};\n        nativeBuildInputs = [ pkgs.autoPatchelfHook pkgs.installShellFiles ];\n        \
             buildInputs = [ pkgs.stdenv.cc.cc.lib ];\n        installPhase = ''\n          \
             install -Dm755 graftage $out/bin/graftage\n          installManPage man/*.1\n          \
             installShellCompletion --bash --name graftage completions/graftage.bash\n          \
             installShellCompletion --zsh completions/_graftage\n          \
             installShellCompletion --fish completions/graftage.fish\n        '';\n      }};\n    }};\n}}\n",
            self.address, self.sum
        )
    }

    fn aur(&self) -> String {
        let Facts { version, description, .. } = self.facts;
        let folder = self.facts.package_name();
        format!(
            "pkgname=graftage-bin\npkgver={version}\npkgrel=1\npkgdesc=\"{description}\"\narch=('x86_64')\n\
             url=\"{}\"\nlicense=('MIT' 'Apache-2.0')\ndepends=('gcc-libs' 'glibc')\n\
             optdepends=('rust: the projects that it changes' 'git: commits and history')\n\
             provides=('graftage')\nconflicts=('graftage')\nsource=(\"{}\")\nsha256sums=('{}')\n\n\
             package() {{\n  cd \"$srcdir/{folder}\"\n  install -Dm755 graftage \"$pkgdir/usr/bin/graftage\"\n  \
             install -Dm644 -t \"$pkgdir/usr/share/man/man1\" man/*.1\n  \
             install -Dm644 completions/graftage.bash \"$pkgdir/usr/share/bash-completion/completions/graftage\"\n  \
             install -Dm644 completions/_graftage \"$pkgdir/usr/share/zsh/site-functions/_graftage\"\n  \
             install -Dm644 -t \"$pkgdir/usr/share/fish/vendor_completions.d\" completions/graftage.fish\n  \
             install -Dm644 -t \"$pkgdir/usr/share/licenses/graftage\" LICENSE-MIT LICENSES-OF-OTHERS.txt\n}}\n",
            self.folder(),
            self.address,
            self.sum
        )
    }

    /// The table for the manifest of the program's crate.
    fn binstall(&self, url: &str) -> String {
        format!(
            "[package.metadata.binstall]\npkg-url = \"{url}/{{ name }}-{{ version }}-{{ target }}.tar.gz\"\n\
             bin-dir = \"{{ name }}-{{ version }}-{{ target }}/{{ bin }}{{ binary-ext }}\"\npkg-fmt = \"tgz\"\n"
        )
    }

    fn folder(&self) -> &str {
        self.address.rsplit_once('/').map_or("", |it| it.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::facts;

    #[test]
    fn each_file_has_version_address_and_sum() {
        let facts = facts::example();
        let address = "https://example.org/r/graftage.tar.gz".to_owned();
        let filled = Filled { facts: &facts, address: address.clone(), sum: "0f0f".to_owned() };
        for text in [filled.homebrew(), filled.nix(), filled.aur()] {
            for part in ["0.1.0", &address, "0f0f"] {
                assert!(text.contains(part), "{part}: {text}");
            }
        }
        let expected = "pkg-url = \"https://example.org/r/{ name }-{ version }-{ target }.tar.gz\"";
        assert!(filled.binstall("https://example.org/r").contains(expected));
    }
}
