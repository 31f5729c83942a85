use proptest::prelude::*;

use super::maps::{any_map, open};

proptest! {
    #[test]
    fn rows_round_trip_through_bytes(data in any_map()) {
        let map = open(&data);
        let again = map.to_data().unwrap();
        prop_assert_eq!(&again, &data);
        prop_assert_eq!(again.to_bytes(), data.to_bytes());
    }

    #[test]
    fn the_input_order_of_edges_does_not_matter(data in any_map(), seed in any::<u32>()) {
        let mut shuffled = data.clone();
        let count = shuffled.edges.len().max(1);
        let shift = seed as usize % count;
        shuffled.edges.rotate_left(shift);
        for site in &mut shuffled.sites {
            site.edge = ((site.edge as usize + count - shift) % count) as u32;
        }
        shuffled.sites.reverse();
        shuffled.unresolved.reverse();
        prop_assert_eq!(shuffled.to_bytes(), data.to_bytes());
    }

    #[test]
    fn views_equal_the_rows(data in any_map()) {
        let map = open(&data);
        prop_assert_eq!(map.item_count() as usize, data.items.len());
        for (n, row) in data.items.iter().enumerate() {
            let item = map.item(n as u32).unwrap();
            prop_assert_eq!(item.canon(), row.canon.as_str());
            prop_assert_eq!(item.key(), row.key.as_str());
            prop_assert_eq!(item.name(), row.name.as_str());
            prop_assert_eq!(map.by_id(row.id), Some(n as u32));
            prop_assert!(map.by_name(&row.name).contains(&(n as u32)));
        }
        prop_assert!(map.item(data.items.len() as u32).is_none());
        for (n, row) in data.files.iter().enumerate() {
            prop_assert_eq!(map.file_by_path(row.path.as_str()), Some(n as u32));
        }
    }

    #[test]
    fn both_directions_agree_with_the_list_of_edges(data in any_map()) {
        let map = open(&data);
        for n in 0..data.items.len() as u32 {
            let triples = |edges: Vec<graftage_graph::EdgeView>| -> Vec<_> {
                edges.iter().map(|e| (e.src, e.kind, e.dst, e.tier, e.weight)).collect()
            };
            let rows = |wanted: &dyn Fn(&graftage_graph::EdgeRow) -> bool| -> Vec<_> {
                let rows = data.edges.iter().filter(|row| wanted(row));
                rows.map(|e| (e.src, e.kind, e.dst, e.tier, e.weight)).collect()
            };
            prop_assert_eq!(triples(map.edges_out(n).collect()), rows(&|row| row.src == n));
            prop_assert_eq!(triples(map.edges_in(n).collect()), rows(&|row| row.dst == n));
            let unresolved = data.unresolved.iter().filter(|row| row.src == n).count();
            prop_assert_eq!(map.unresolved_in(n).count(), unresolved);
        }
        for (n, row) in data.edges.iter().enumerate() {
            let edge = map.edge(n as u32).unwrap();
            prop_assert_eq!((edge.src, edge.dst, edge.rule), (row.src, row.dst, row.rule));
            let sites: Vec<_> = map.sites(edge).map(|s| (s.file, s.offset, s.line)).collect();
            let of = data.sites.iter().filter(|site| site.edge == n as u32);
            let rows: Vec<_> = of.map(|s| (s.file, s.offset, s.line)).collect();
            prop_assert_eq!(sites, rows);
        }
    }
}
