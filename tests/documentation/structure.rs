//! Every page is in the table of contents, and every example, decision and primitive in its index.
//! `SAMHW_BLESS=1` writes the lists of `docs/SUMMARY.md` that are indented, and rows of primitives that
//! `docs/primitives.md` lacks.

use crate::pages::prose;
use crate::{all, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Files below `folder` with this extension, from the root.
fn below(folder: &str, extension: &str) -> BTreeSet<PathBuf> {
    let files = all(extension).into_iter().map(|path| path.strip_prefix(root()).unwrap().to_path_buf());
    files.filter(|path| path.starts_with(folder)).collect()
}

/// The targets of the links of a page of `docs`, from the root.
fn targets(page: &str) -> Vec<PathBuf> {
    let folder = Path::new(page).parent().unwrap();
    let links = read(page);
    let links = links.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let mut out = Vec::new();
    for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
        let mut path = folder.to_path_buf();
        for part in link.split('/') {
            match part {
                ".." => drop(path.pop()),
                "." => {}
                name => path.push(name),
            }
        }
        out.push(path);
    }
    out
}

/// The first line of a page, without what makes it a heading.
fn title(page: &Path) -> String {
    let text = read(page);
    let first = text.lines().next().unwrap_or_default();
    if let Some(title) = first.strip_prefix("# ") {
        return title.replace(['[', ']'], "");
    }
    page.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
}

/// Indices of the table of contents, with the folder whose pages are listed below each.
const LISTS: [(&str, &str); 5] = [
    ("docs/primitives.md", "primitives"),
    ("docs/diagnostics.md", "docs/diagnostics"),
    ("docs/decisions/README.md", "docs/decisions"),
    ("docs/machines.md", "docs/machines"),
    ("docs/measurements/README.md", "docs/measurements"),
];

#[test]
fn the_summary_names_every_page() {
    let old = read("docs/SUMMARY.md");
    let mut text = String::new();
    for line in old.split_inclusive('\n').filter(|line| !line.starts_with("  - ") || line.contains("python/")) {
        text += line;
        for (index, folder) in LISTS {
            let link = index.strip_prefix("docs/").unwrap();
            if line.ends_with(&format!("]({link})\n")) {
                for page in below(folder, "md").into_iter().filter(|page| page != Path::new(index)) {
                    let to = page.strip_prefix("docs").map_or_else(|_| Path::new("..").join(&page), Path::to_path_buf);
                    text += &format!("  - [{}]({})\n", title(&page), to.display());
                }
            }
        }
    }
    if std::env::var_os("SAMHW_BLESS").is_some() {
        fs::write(root().join("docs/SUMMARY.md"), &text).unwrap();
    }
    assert!(old == text || std::env::var_os("SAMHW_BLESS").is_some(), "docs/SUMMARY.md: run this with SAMHW_BLESS=1");
    let listed = targets("docs/SUMMARY.md");
    let mut pages = below("docs", "md");
    pages.extend(below("primitives", "md"));
    pages.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "python/README.md"].map(PathBuf::from));
    pages.remove(Path::new("docs/SUMMARY.md"));
    let once: BTreeSet<PathBuf> = listed.iter().cloned().collect();
    assert_eq!(once.len(), listed.len(), "docs/SUMMARY.md names a page twice");
    assert!(once == pages, "docs/SUMMARY.md differs in {:?}", once.symmetric_difference(&pages).collect::<Vec<_>>());
}

/// `index` links to every file of `files`.
fn indexed(index: &str, mut files: BTreeSet<PathBuf>) {
    for target in targets(index) {
        files.remove(&target);
    }
    files.remove(Path::new(index));
    assert!(files.is_empty(), "{index} does not list {files:?}");
}

/// The table of primitives with a row for each page that it lacks: what the page's first sentence says.
fn with_rows(index: &str) -> String {
    let listed = targets("docs/primitives.md");
    let mut lines: Vec<String> = index.lines().map(String::from).collect();
    for page in below("primitives", "md").into_iter().filter(|page| !listed.contains(page)) {
        let sentence = read(&page).lines().skip(2).collect::<Vec<_>>().join(" ");
        let sentence = sentence.split([':', '.']).next().unwrap_or_default().trim();
        let what: String =
            sentence.chars().take(1).flat_map(char::to_lowercase).chain(sentence.chars().skip(1)).collect();
        let mut folders = page.ancestors().skip(1);
        let (Some(folder), Some(group)) = (folders.next(), folders.next()) else { continue };
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let row = format!("| [{name}](../{}) | {what} |", page.display());
        let in_group = |line: &String| line.starts_with("| [") && line.contains(&format!("](../{}/", group.display()));
        if let Some(first) = lines.iter().position(in_group) {
            let before = lines[first..].iter().take_while(|line| in_group(line) && **line < row).count();
            lines.insert(first + before, row);
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn indices_are_complete() {
    if std::env::var_os("SAMHW_BLESS").is_some() {
        fs::write(root().join("docs/primitives.md"), with_rows(&read("docs/primitives.md"))).unwrap();
    }
    indexed("docs/examples.md", below("examples", "toml"));
    indexed("docs/decisions/README.md", below("docs/decisions", "md"));
    indexed("docs/measurements/README.md", below("docs/measurements", "md"));
    indexed("docs/primitives.md", below("primitives", "md"));
    let pages = below("docs", "md").into_iter().filter(|page| page.parent() == Some(Path::new("docs")));
    let mut pages: BTreeSet<PathBuf> = pages.filter(|page| !page.ends_with("SUMMARY.md")).collect();
    pages.extend(below("docs/tutorials", "md"));
    for target in targets("docs/primitives.md").into_iter().chain([PathBuf::from("docs/primitives.md")]) {
        pages.remove(&target);
    }
    indexed("docs/README.md", pages);
}

/// What a link to a heading is written as.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().replace('`', "").to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_to_headings() {
    let mut broken = Vec::new();
    for page in all("md") {
        let text = fs::read_to_string(&page).unwrap();
        let prose = prose(&text);
        for target in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let Some((file, wanted)) = target.split_once('#').filter(|(file, _)| !file.contains("://")) else {
                continue;
            };
            let to = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let Ok(other) = fs::read_to_string(&to) else { continue };
            if to.extension().is_some_and(|e| e == "md")
                && !other.lines().any(|line| line.starts_with('#') && anchor(line) == wanted)
            {
                broken.push(format!("{}: {target}", page.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Whether a link of a page of `docs` leads to the API of a crate, which the website has in `api`.
pub fn is_api(link: &str) -> bool {
    link.strip_prefix("../api/").and_then(|rest| rest.strip_suffix("/index.html")).is_some_and(|name| {
        let folder = name.strip_prefix("samhw_").unwrap_or_default();
        root().join(folder).join("src/lib.rs").exists()
    })
}

#[test]
fn the_website_has_the_api_of_every_crate() {
    let site = read("site");
    assert!(
        site.contains("cargo doc --no-deps --workspace\n") && site.contains("/doc\" \"$site/html/api\"\n"),
        "{site}"
    );
    let page = read("docs/api.md");
    let linked = |name: &str| page.contains(&format!("](../api/samhw_{name}/index.html)"));
    for library in fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path().join("src/lib.rs")) {
        let name = library.ancestors().nth(2).and_then(Path::file_name).unwrap().to_string_lossy().into_owned();
        // Python has its own page; the last one holds what tests share.
        let is_internal = ["python", "testing"].contains(&&*name);
        assert!(!library.exists() || is_internal || linked(&name), "docs/api.md has no link to {name}");
    }
    assert!(is_api("../api/samhw_driver/index.html") && !is_api("../api/samhw_nothing/index.html"));
}

/// The website has no sources: `site` makes links to them words, line by line.
#[test]
fn links_to_sources_are_in_one_line() {
    let mut broken = Vec::new();
    for page in all("md") {
        let text = fs::read_to_string(&page).unwrap();
        for line in text.lines() {
            let ends = line.split_once("](").filter(|(words, _)| !words.contains('['));
            let target = ends.and_then(|(_, rest)| rest.split(')').next()).unwrap_or_default();
            if target.ends_with(".rs") || target.contains("::") {
                broken.push(format!("{}: {line}", page.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
