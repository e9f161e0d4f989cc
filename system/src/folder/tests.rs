//! Folders that are exchanged, cut off, and written by many at once.

use super::*;

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("samhw-folder-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }
    fn out(&self) -> PathBuf {
        self.0.join("out")
    }
    /// Files of folder `out` with their content.
    fn content(&self) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = fs::read_dir(self.out())
            .unwrap()
            .flatten()
            .map(|e| (e.file_name().into_string().unwrap(), fs::read_to_string(e.path()).unwrap_or("folder".into())))
            .filter(|(n, _)| n != LIST)
            .collect();
        all.sort();
        all
    }
    fn publish(&self, command: &str, files: &[(&str, &str)]) -> io::Result<()> {
        let folder = Folder::new(&self.out())?;
        for (name, text) in files {
            folder.write(name, text)?;
        }
        folder.write("log", "not to be published")?;
        folder.publish(command, files.iter().map(|f| f.0))
    }
    fn is(&self, files: &[(&str, &str)]) {
        let want: Vec<(String, String)> = files.iter().map(|(n, t)| (n.to_string(), t.to_string())).collect();
        assert_eq!(self.content(), want);
        assert_eq!(fs::read_dir(&self.0).unwrap().count(), 1, "something is left beside it");
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_an_earlier_run_wrote_goes_and_nothing_else() {
    let place = Place::new("stale");
    place.publish("gen", &[("a", "1"), ("b", "1"), ("c", "1")]).unwrap();
    place.is(&[("a", "1"), ("b", "1"), ("c", "1")]);
    // As a whole.
    place.publish("gen", &[("a", "2"), ("d", "2")]).unwrap();
    place.is(&[("a", "2"), ("d", "2")]);
    // In a folder that holds what is not ours.
    fs::create_dir(place.out().join("mine")).unwrap();
    fs::write(place.out().join("notes"), "mine").unwrap();
    fs::write(place.out().join("d"), "changed").unwrap();
    place.publish("gen", &[("a", "3")]).unwrap();
    place.is(&[("a", "3"), ("d", "changed"), ("mine", "folder"), ("notes", "mine")]);
    // What another command wrote is not an earlier run's.
    place.publish("explore", &[("e", "4")]).unwrap();
    place.publish("gen", &[("g", "5")]).unwrap();
    place.is(&[("d", "changed"), ("e", "4"), ("g", "5"), ("mine", "folder"), ("notes", "mine")]);
    place.publish("explore", &[("f", "6")]).unwrap();
    place.is(&[("d", "changed"), ("f", "6"), ("g", "5"), ("mine", "folder"), ("notes", "mine")]);
}

#[test]
fn what_cannot_be_replaced_leaves_everything_as_it_was() {
    let place = Place::new("whole");
    place.publish("gen", &[("a", "1"), ("b", "1")]).unwrap();
    fs::remove_file(place.out().join("b")).unwrap();
    fs::create_dir(place.out().join("b")).unwrap();
    let list = fs::read_to_string(place.out().join(LIST)).unwrap();
    assert!(place.publish("gen", &[("a", "2"), ("b", "2"), ("c", "2")]).is_err());
    place.is(&[("a", "1"), ("b", "folder")]);
    assert_eq!(fs::read_to_string(place.out().join(LIST)).unwrap(), list);
    // Renamings are taken back, the last first.
    let mut moves = Moves::default();
    let at = |n: &str| place.out().join(n);
    moves.rename(at("a"), at("x")).unwrap();
    moves.rename(at("x"), at("y")).unwrap();
    assert!(moves.rename(at("nothing"), at("z")).is_err());
    moves.back();
    place.is(&[("a", "1"), ("b", "folder")]);
}

#[test]
fn a_change_that_was_cut_off_is_known_to_the_next() {
    let place = Place::new("cut");
    place.publish("gen", &[("a", "1"), ("b", "1")]).unwrap();
    fs::write(place.out().join("notes"), "mine").unwrap();
    // As if it had been killed in between: one file is new, one old.
    let mut list = List::locked(&place.out()).unwrap();
    let line = |name: &str| Line { command: "gen".into(), sha256: hash::of_bytes(b"2"), name: name.into() };
    list.add(&[line("a"), line("c")]).unwrap();
    drop(list);
    fs::write(place.out().join("a"), "2").unwrap();
    place.publish("gen", &[("d", "3")]).unwrap();
    place.is(&[("d", "3"), ("notes", "mine")]);
}

#[test]
fn many_at_once_leave_one_of_them() {
    let place = Place::new("many");
    let sets = ["x", "y", "z"].map(|k| (0..20).map(|n| (format!("{k}{n}"), k)).collect::<Vec<_>>());
    for foreign in [false, true] {
        std::thread::scope(|s| {
            for set in &sets {
                let place = &place;
                s.spawn(move || {
                    for _ in 0..5 {
                        let files: Vec<(&str, &str)> = set.iter().map(|(n, t)| (n.as_str(), *t)).collect();
                        place.publish("gen", &files).unwrap();
                    }
                });
            }
        });
        let there: BTreeSet<String> = place.content().into_iter().map(|f| f.1).collect();
        assert_eq!((there.len(), place.content().len()), (1 + usize::from(foreign), 20 + usize::from(foreign)));
        fs::write(place.out().join("notes"), "mine").unwrap();
    }
    assert_eq!(fs::read_dir(&place.0).unwrap().count(), 1);
}

#[test]
fn what_is_not_published_leaves_nothing() {
    let place = Place::new("nothing");
    let deep = Folder::new(&place.0.join("a/b/c")).unwrap();
    deep.write("f", "").unwrap();
    drop(deep);
    assert_eq!(fs::read_dir(&place.0).unwrap().count(), 0);
    fs::write(place.0.join("file"), "").unwrap();
    assert!(Folder::new(&place.0.join("file")).is_err());
    assert!(Folder::new(&place.0.join("file/sub")).is_err());
}
