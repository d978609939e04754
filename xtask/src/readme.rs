//! The README: its commands are run, its tables are made by commands.

use anyhow::{Context, Result};

use crate::sh;

/// The project's own README, from its root.
pub const ROOT: &str = "README.md";
/// This one runs the README's commands and cannot be run by them.
const RUNS_THEM: &str = "cargo xtask test";

/// What becomes of the tables that a benchmark makes.
#[derive(Clone, Copy, PartialEq)]
pub enum Tables {
    Leave,
    Renew,
}

/// Runs every line of every `sh` block, in order.
pub fn run_commands() -> Result<()> {
    for command in commands(&read(ROOT)?) {
        println!("$ {command}");
        sh::run(&mut sh::command("bash", &["-euc", &command]))?;
    }
    Ok(())
}

/// Puts a text between `<!-- name -->` and `<!-- /name -->` of this file.
pub fn replace(file: &str, name: &str, text: &str) -> Result<()> {
    let readme = read(file)?;
    let replaced = between(&readme, name, text)
        .with_context(|| format!("{file} has no marks <!-- {name} --> and <!-- /{name} -->"))?;
    std::fs::write(sh::root().join(file), replaced)?;
    Ok(())
}

fn read(file: &str) -> Result<String> {
    std::fs::read_to_string(sh::root().join(file)).with_context(|| format!("cannot read {file}"))
}

fn commands(readme: &str) -> Vec<String> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in readme.lines() {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            _ if inside => {
                // What follows a # explains the command.
                let command = line.split(" #").next().unwrap_or_default().trim();
                if !command.is_empty() && command != RUNS_THEM {
                    commands.push(command.to_owned());
                }
            }
            _ => {}
        }
    }
    commands
}

fn between(readme: &str, name: &str, text: &str) -> Option<String> {
    let (before, rest) = readme.split_once(&format!("<!-- {name} -->\n"))?;
    let close = format!("<!-- /{name} -->");
    let (_, after) = rest.split_once(&close)?;
    Some(format!("{before}<!-- {name} -->\n{text}{close}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_the_lines_of_sh_blocks() {
        let readme = "```sh\ncargo a   # says a\ncargo xtask test\n\n```\n```toml\nx = 1\n```\n```sh\ncargo b\n```\n";
        assert_eq!(commands(readme), ["cargo a", "cargo b"]);
    }

    #[test]
    fn text_between_marks_is_replaced() {
        let readme = "a\n<!-- t -->\nold\n<!-- /t -->\nb\n";
        assert_eq!(
            between(readme, "t", "new\n").as_deref(),
            Some("a\n<!-- t -->\nnew\n<!-- /t -->\nb\n")
        );
        assert_eq!(between(readme, "u", "new\n"), None);
    }
}
