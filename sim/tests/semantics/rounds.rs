//! Programs that run in rounds, against the same steps written here: values, the number of rounds, two
//! runs in a row, and random back-pressure.

use samhw_compiler::diag::Source;
use samhw_compiler::frontend::{self, KernelFile};
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::native::Pressure;
use samhw_sim::reference::Rounds;
use samhw_sim::run::Problem;
use samhw_sim::tensor::{Coo, Loaded};
use samhw_testing::verify::{netlist, run_pressed, run_twice};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

const SIZE: u64 = 24;

fn file(text: &str) -> KernelFile {
    frontend::parse(Arc::new(Source { path: "k.toml".into(), text: text.into() })).unwrap()
}

/// Entries of a matrix or vector, raw.
fn entries(coords: &[&[u64]], values: Vec<u64>, order: usize) -> Coo {
    Coo::new(vec![SIZE; order], coords.concat(), values).unwrap()
}

/// Runs on the data of each name; the results by name, and the rounds.
fn run(text: &str, data: &[(&str, Coo)]) -> (BTreeMap<String, Vec<u64>>, Rounds) {
    let file = file(text);
    let kernel = &file.kernel;
    let number = |name: &str| kernel.tensors.iter().position(|t| t.name == name).map(samhw_compiler::stmt::TensorId);
    let loaded = data.iter().map(|(n, coo)| (number(n).unwrap(), Loaded { coo: coo.clone(), sized: true }));
    let problem = Problem::new(&file, loaded.collect()).unwrap();
    let net = netlist(&problem, Depths::Auto).unwrap().unwrap();
    run_twice(&problem, &net).unwrap();
    run_pressed(&problem, &net, Pressure { rng: Rng::new(5), percent: 30 }).unwrap();
    let found = problem.run_native(&net, 1 << 20).unwrap();
    assert_eq!(found.rounds, problem.rounds);
    let all = |coo: &Coo| match coo.order() {
        0 => coo.values().to_vec(),
        _ => (0..SIZE).map(|i| coo.get(&[i]).unwrap_or(0)).collect(),
    };
    let results = found.results.iter().map(|(t, coo)| (kernel.tensor(*t).name.clone(), all(coo))).collect();
    (results, found.rounds.unwrap())
}

/// A graph of two rings and some chords, as rows.
fn graph(rng: &mut Rng) -> Vec<Vec<bool>> {
    let mut rows = vec![vec![false; SIZE as usize]; SIZE as usize];
    for i in 0..16 {
        (rows[i][(i + 1) % 16], rows[(i + 1) % 16][i]) = (true, true);
    }
    for _ in 0..4 {
        let (i, j) = (rng.below(SIZE) as usize, rng.below(SIZE) as usize);
        (rows[i][j], rows[j][i]) = (true, true);
    }
    rows
}

fn stored(rows: &[Vec<bool>]) -> Coo {
    let of = |i: usize| (0..SIZE as usize).filter(move |&j| rows[i][j]).map(move |j| vec![i as u64, j as u64]);
    let coords: Vec<Vec<u64>> = (0..SIZE as usize).flat_map(of).collect();
    entries(&coords.iter().map(Vec::as_slice).collect::<Vec<_>>(), vec![1; coords.len()], 2)
}

/// A search from node 3, whose frontier has these levels.
fn search(frontier: &str, at_most: u32, more: &str) {
    let text = format!(
        "expr = \"n(k) = any[j](G(k,j) and f(j)) and not v(k); v(k) or= n(k); more = any[k](n(k))\"\n\
         [dims]\nk = {SIZE}\nj = {SIZE}\n\
         [tensors]\nG = {{ levels = [\"dense\", \"compressed\"], type = \"bool\" }}\n\
         f = {{ levels = [\"{frontier}\"], type = \"bool\" }}\n\
         n = {{ levels = [\"{frontier}\"], type = \"bool\"{more} }}\n\
         v = {{ levels = [\"dense\"], type = \"bool\" }}\n\
         [repeat]\nwhile = \"more\"\nat_most = {at_most}\ncarry = {{ f = \"n\" }}\n"
    );
    let rows = graph(&mut Rng::new(7));
    let begin = entries(&[&[3]], vec![1], 1);
    let (results, rounds) = run(&text, &[("G", stored(&rows)), ("f", begin.clone()), ("v", begin)]);
    let (mut seen, mut now, mut count) = (vec![false; SIZE as usize], vec![3], 0);
    seen[3] = true;
    while !now.is_empty() && count < at_most {
        let next = (0..SIZE as usize).filter(|&k| !seen[k] && now.iter().any(|&j: &usize| rows[k][j]));
        now = next.collect();
        now.iter().for_each(|&k| seen[k] = true);
        count += 1;
    }
    assert_eq!(results["v"], seen.iter().map(|&s| u64::from(s)).collect::<Vec<_>>());
    assert_eq!(rounds, Rounds { count: count.into(), open: !now.is_empty() });
}

#[test]
fn a_search_goes_on_until_nothing_is_found() {
    search("dense", 100, "");
    search("compressed", 100, "");
    // Where the frontier has room for what is largest, not for what is first or last.
    search("compressed", 100, ", prune = true");
}

#[test]
fn a_run_ends_after_the_most_rounds() {
    search("dense", 1, "");
    search("dense", 3, "");
}

#[test]
fn an_update_keeps_its_value() {
    let text = |at_most: u32| {
        format!(
            "expr = \"c += 2; more = c < 7\"\n[tensors]\nc = {{ levels = [], type = \"i32\" }}\n\
             more = {{ levels = [], type = \"bool\" }}\n[repeat]\nwhile = \"more\"\nat_most = {at_most}\n"
        )
    };
    let c = Coo::new(vec![], vec![], vec![1]).unwrap();
    assert_eq!(run(&text(9), &[("c", c.clone())]).0["c"], [7]);
    assert_eq!(
        run(&text(2), &[("c", c)]),
        ([("c".into(), vec![5]), ("more".into(), vec![1])].into(), Rounds { count: 2, open: true })
    );
}
