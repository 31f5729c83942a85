//! Random edits of a tree of Rust files: of lines, of names, of whole files.

use std::path::{Path, PathBuf};

use base::SortedMap;

/// A random generator without dependencies.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// The texts of a tree's Rust files, kept in sync with a directory.
pub(crate) struct Texts {
    root: PathBuf,
    files: SortedMap<String, String>,
}

impl Texts {
    pub(crate) fn of(root: &Path) -> Self {
        let mut texts = Self { root: root.to_owned(), files: SortedMap::new() };
        let mut queue = vec![root.to_owned()];
        while let Some(folder) = queue.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    if path.file_name().unwrap() != "target" {
                        queue.push(path);
                    }
                    continue;
                }
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                if name.ends_with(".rs")
                    && let Ok(text) = std::fs::read_to_string(&path)
                {
                    texts.files.insert(name, text);
                }
            }
        }
        texts
    }

    /// The Rust files.
    #[allow(dead_code, reason = "used by the bench")]
    pub(crate) fn all(&self) -> &SortedMap<String, String> {
        &self.files
    }

    fn write(&self, name: &str) {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &self.files[name]).unwrap();
    }

    fn any_file(&self, random: &mut Random) -> String {
        let at = random.below(self.files.len());
        self.files.keys().nth(at).unwrap().clone()
    }

    fn any_line(&self, random: &mut Random) -> String {
        let text = &self.files[&self.any_file(random)];
        let lines: Vec<&str> = text.lines().collect();
        lines.get(random.below(lines.len())).copied().unwrap_or_default().to_owned()
    }

    fn any_word(&self, random: &mut Random) -> String {
        for _ in 0..20 {
            let line = self.any_line(random);
            let words: Vec<&str> = words(&line).map(|(_, word)| word).collect();
            if !words.is_empty() {
                return words[random.below(words.len())].to_owned();
            }
        }
        "x".to_owned()
    }

    /// Saves one file after a typical edit: in a body, in a comment, of a signature, of an import.
    /// Returns a description.
    pub(crate) fn save(&mut self, random: &mut Random) -> String {
        let name = self.any_file(random);
        let text = self.files[&name].clone();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let at = random.below(lines.len());
        let done = match random.below(8) {
            0 => {
                lines.insert(at, "// a comment".to_owned());
                "comment"
            }
            1 => {
                let line = self.any_line(random);
                lines.insert(at, line);
                "line from elsewhere"
            }
            2 if !lines.is_empty() => {
                lines.remove(at);
                "line removed"
            }
            3 if !lines.is_empty() => {
                let line = lines[at].clone();
                lines.insert(at, line);
                "line twice"
            }
            4 => {
                lines.push(format!("pub fn new_{}() {{}}", random.below(50)));
                "function added"
            }
            5 => {
                let word = self.any_word(random);
                lines.insert(0, format!("use crate::{word};"));
                "import added"
            }
            _ => {
                let word = self.any_word(random);
                if let Some(line) = lines.get_mut(at) {
                    let positions: Vec<(usize, usize)> =
                        words(line).map(|(at, word)| (at, word.len())).collect();
                    if !positions.is_empty() {
                        let (start, len) = positions[random.below(positions.len())];
                        line.replace_range(start..start + len, &word);
                    }
                }
                "word replaced"
            }
        };
        let mut text = lines.join("\n");
        text.push('\n');
        self.files.insert(name.clone(), text);
        self.write(&name);
        format!("{name}:{}: {done}", at + 1)
    }

    /// A save, or an operation on whole files.
    pub(crate) fn edit(&mut self, random: &mut Random) -> String {
        match random.below(12) {
            0 if self.files.len() > 3 => {
                let name = self.any_file(random);
                self.files.remove(&name);
                std::fs::remove_file(self.root.join(&name)).unwrap();
                format!("{name}: removed")
            }
            1 => {
                let name = self.any_file(random);
                let text = self.files[&name].clone();
                let new = match random.below(3) {
                    0 => format!("src/copy{}.rs", random.below(5)),
                    1 => name.replace(".rs", "/mod.rs"),
                    _ => format!("tests/t{}.rs", random.below(3)),
                };
                // A directory and a file cannot have the same name.
                if self.root.join(&new).exists() || new.contains(".rs/") {
                    return "nothing".to_owned();
                }
                self.files.insert(new.clone(), text);
                self.write(&new);
                if random.below(2) == 0 {
                    self.files.remove(&name);
                    std::fs::remove_file(self.root.join(&name)).unwrap();
                    return format!("{name}: moved to {new}");
                }
                format!("{name}: copied to {new}")
            }
            2 => {
                let word = self.any_word(random);
                let root = "src/lib.rs".to_owned();
                let module =
                    if random.below(2) == 0 { word } else { format!("copy{}", random.below(5)) };
                let text = self.files.entry(root.clone()).or_default();
                text.push_str(&format!("mod {module};\n"));
                self.write(&root);
                format!("{root}: mod {module}")
            }
            3 => {
                let of = |(_, text): &(&String, &String)| text.contains("macro_rules!");
                let with: Vec<String> =
                    self.files.iter().filter(of).map(|it| it.0.clone()).collect();
                if with.is_empty() {
                    return "nothing".to_owned();
                }
                let name = with[random.below(with.len())].clone();
                let made = format!("struct M{};", random.below(5));
                let text = self.files[&name].replacen("=> {", &format!("=> {{ {made}"), 1);
                self.files.insert(name.clone(), text);
                self.write(&name);
                format!("{name}: macro generates {made}")
            }
            4 => {
                let name = self.any_file(random);
                let (folder, file) = name.rsplit_once('/').unwrap_or(("", &name));
                let old = file.trim_end_matches(".rs").to_owned();
                let new = format!("moved{}", random.below(5));
                let to = format!("{folder}/{new}.rs");
                if matches!(&*old, "lib" | "main" | "mod") || self.root.join(&to).exists() {
                    return "nothing".to_owned();
                }
                let Some(text) = self.files.remove(&name) else { return "nothing".to_owned() };
                std::fs::remove_file(self.root.join(&name)).unwrap();
                self.files.insert(to.clone(), text);
                self.write(&to);
                let names: Vec<String> = self.files.keys().cloned().collect();
                for name in names {
                    let (from, into) = (format!("mod {old};"), format!("mod {new};"));
                    let text = &self.files[&name];
                    if text.contains(&from) {
                        let text = text.replace(&from, &into);
                        self.files.insert(name.clone(), text);
                        self.write(&name);
                    }
                }
                format!("{name}: module renamed to {new}")
            }
            _ => self.save(random),
        }
    }
}

fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.split(move |c: char| !is_word(c))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - line.as_ptr() as usize, word))
}
