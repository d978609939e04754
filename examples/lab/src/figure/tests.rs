use super::*;

/// A figure with long names, many methods and every kind of mark.
fn crowded() -> Figure {
    let style = of_series(0);
    let curve: Vec<[f64; 2]> = (0..=40)
        .map(|i| [f64::from(i) * 4.0, f64::from(i) / 40.0])
        .collect();
    let band = curve
        .iter()
        .map(|p| [p[0], p[1] - 0.05, p[1] + 0.05])
        .collect();
    let lines = Panel {
        title: "Hartmann6D + 6 & more <of it>".to_string(),
        x_label: "cost spent (units)".to_string(),
        y_label: "best value found (optimum 1)".to_string(),
        marks: vec![
            Mark::Band {
                points: band,
                style,
            },
            Mark::Line {
                points: curve,
                style,
                every: 10,
            },
            Mark::Upright {
                x: 130.0,
                label: "mean switch".to_string(),
                style,
            },
        ],
        ..Panel::default()
    };
    let names = (0..18)
        .map(|i| (f64::from(i), format!("angle_{i}")))
        .collect();
    let bars = Panel {
        title: "Alanine".to_string(),
        x_label: "context".to_string(),
        y_label: "inclusion probability".to_string(),
        x_names: names,
        marks: vec![
            Mark::Bars {
                bars: (0..18)
                    .map(|i| [f64::from(i) - 0.4, f64::from(i) + 0.4, 0.5])
                    .collect(),
                colour: style.colour,
            },
            Mark::Points {
                points: vec![[3.0, 0.2]],
                style,
            },
            Mark::Errors {
                points: vec![[4.0, 0.1, 0.3]],
                style,
            },
        ],
        ..Panel::default()
    };
    Figure {
        description: "a test".to_string(),
        legend: (0..12)
            .map(|i| (format!("SAASBO+SADCBO {i}"), of_series(i)))
            .collect(),
        columns: 2,
        panels: vec![lines, bars],
    }
}

/// The value of an attribute of an SVG element.
fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
    let after = element.split(&format!(" {name}=\"")).nth(1);
    after.and_then(|rest| rest.split('"').next()).unwrap_or("")
}

fn number(element: &str, name: &str) -> f64 {
    attribute(element, name).parse().unwrap()
}

/// Where an SVG text is, by the estimated width: left, top, right, bottom.
fn place(element: &str) -> ([f64; 4], String) {
    let words = element.split('>').nth(1).unwrap().trim().to_string();
    let plain = words.replace("&lt;", "<").replace("&gt;", ">");
    let size = number(element, "font-size") / 10.0;
    let font = match attribute(element, "font-weight") {
        "bold" => Font::Title,
        _ if size < 12.5 => Font::Small,
        _ => Font::Normal,
    };
    let width = font.width(&plain.replace("&amp;", "&"));
    let [x, y] = ["x", "y"].map(|name| number(element, name) / 10.0);
    let start = match attribute(element, "text-anchor") {
        "start" => 0.0,
        "middle" => -width / 2.0,
        _ => -width,
    };
    let baseline = match attribute(element, "dy") {
        "0.76em" => 0.76 * size,
        "0.5ex" => 0.27 * size,
        _ => -0.27 * size,
    };
    let [top, bottom] = [baseline - 0.8 * size, baseline + 0.2 * size];
    let upright = attribute(element, "transform").starts_with("rotate(270");
    let place = if upright {
        [x + top, y - start - width, x + bottom, y - start]
    } else {
        [x + start, y + top, x + start + width, y + bottom]
    };
    (place, words)
}

#[test]
fn no_two_texts_overlap_and_none_leaves_the_page() {
    let svg = crowded().svg();
    let page: Vec<f64> = attribute(&svg, "viewBox")
        .split(' ')
        .map(|v| v.parse::<f64>().unwrap() / 10.0)
        .collect();
    let elements = svg.split("<text").skip(1);
    let texts: Vec<([f64; 4], String)> = elements
        .map(|rest| place(rest.split("</text>").next().unwrap()))
        .collect();
    // 12 names, 18 contexts, 2 titles, 4 axes, their numbers and a word.
    assert!(texts.len() > 45, "{}", texts.len());
    for (index, (a, words)) in texts.iter().enumerate() {
        assert!(
            a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= page[2] && a[3] <= page[3],
            "{words} is off the page"
        );
        for (b, others) in &texts[index + 1..] {
            let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
            assert!(apart, "{words:?} overlaps {others:?}");
        }
    }
}

#[test]
fn values_outside_of_the_range_stay_on_the_axes() {
    let style = Style {
        marker: Marker::None,
        ..of_series(0)
    };
    let figure = Figure {
        description: String::new(),
        legend: Vec::new(),
        columns: 1,
        panels: vec![Panel {
            x_range: Some([0.0, 1.0]),
            y_range: Some([0.0, 1.0]),
            marks: vec![Mark::Line {
                points: vec![[-5.0, 0.5], [0.5, 9.0]],
                style,
                every: 1,
            }],
            ..Panel::default()
        }],
    };
    let svg = figure.svg();
    let line = svg.lines().find(|l| l.contains("#0072B2")).unwrap();
    // 64 from the left in the middle, then the middle at the top.
    assert_eq!(attribute(line, "points").trim(), "640,1150 4249,280");
}

#[test]
fn text_is_escaped() {
    let svg = crowded().svg();
    assert!(svg.contains("6 &amp; more &lt;of it&gt;"));
    assert_eq!(svg.matches("<svg").count(), 1);
    assert!(svg.ends_with("</svg>\n"));
    assert!(svg.contains("<title>a test</title>"));
}

#[test]
fn the_first_styles_all_differ() {
    let styles: Vec<Style> = (0..14).map(of_series).collect();
    for (index, style) in styles.iter().enumerate() {
        assert!(!styles[..index].contains(style), "{index}");
    }
}

#[test]
fn no_two_methods_look_alike() {
    let styles: Vec<Style> = crate::method::METHODS
        .iter()
        .map(|m| of_method(m.name))
        .collect();
    for (index, style) in styles.iter().enumerate() {
        let alike = |other: &Style| (other.colour, other.dash) == (style.colour, style.dash);
        assert!(!styles[..index].iter().any(alike), "{index}");
    }
}
