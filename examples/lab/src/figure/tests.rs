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

#[test]
fn no_two_texts_overlap_and_none_leaves_the_page() {
    let canvas = crowded().draw();
    let [width, height] = canvas.size();
    for (index, (a, words)) in canvas.texts.iter().enumerate() {
        assert!(
            a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= width && a[3] <= height,
            "{words} is off the page"
        );
        for (b, others) in &canvas.texts[index + 1..] {
            let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
            assert!(apart, "{words:?} overlaps {others:?}");
        }
    }
}

#[test]
fn text_is_escaped() {
    let svg = crowded().svg();
    assert!(svg.contains("6 &amp; more &lt;of it&gt;"));
    assert_eq!(svg.matches("<svg").count(), 1);
    assert!(svg.ends_with("</svg>\n"));
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
