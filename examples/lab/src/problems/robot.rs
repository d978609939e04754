//! Robot pushing: two hands push a box and a disc over a table, seen from above, in Box2D.
//!
//! The scene and its reward are those of Wang et al. (2018); the order in which bodies and joints are
//! made matters to the solver.

use std::cell::RefCell;
use std::f64::consts::TAU;
use std::rc::Rc;

use box2d_rs::b2_body::{B2body, B2bodyDef, B2bodyType, BodyPtr};
use box2d_rs::b2_fixture::B2fixtureDef;
use box2d_rs::b2_joint::B2JointDefEnum;
use box2d_rs::b2_math::B2vec2;
use box2d_rs::b2_shape::ShapeDefPtr;
use box2d_rs::b2_world::{B2world, B2worldPtr};
use box2d_rs::b2rs_common::UserDataType;
use box2d_rs::joints::b2_friction_joint::B2frictionJointDef;
use box2d_rs::shapes::b2_circle_shape::B2circleShape;
use box2d_rs::shapes::b2_polygon_shape::B2polygonShape;

use super::{Problem, Variable};

const STARTS: [[f64; 2]; 2] = [[0.0, 2.0], [0.0, -2.0]];
const GOALS: [[f64; 2]; 2] = [[4.0, 3.5], [-4.0, 3.5]];

/// Reward with both objects on their goals.
const HIGHEST: f64 = 11.072737127026487;
/// Below every reward seen in 29 000 evaluations; the scaled value is clamped there.
const LOWEST: f64 = -22.0;

#[derive(Clone, Default)]
struct NoUserData;

impl UserDataType for NoUserData {
    type Fixture = ();
    type Body = ();
    type Joint = ();
}

type Body = BodyPtr<NoUserData>;

/// Where a simulation ends.
pub struct Outcome {
    pub reward: f64,
    /// Final positions of the two objects.
    pub objects: [[f64; 2]; 2],
}

/// Runs the scene for 14 physical inputs, in the order of the table in [`Robot::new`].
pub fn simulate(inputs: &[f64; 14]) -> Outcome {
    let [
        rx,
        ry,
        xvel,
        yvel,
        steps,
        angle,
        rx2,
        ry2,
        xvel2,
        yvel2,
        steps2,
        angle2,
        rtor,
        rtor2,
    ] = *inputs;
    let scene = Scene::new();
    let objects = [
        scene.object(STARTS[0], boxed(0.5, 0.5)),
        scene.object(STARTS[1], disc(1.0)),
    ];
    let hands = [
        Hand::new(&scene, [rx, ry], angle, [xvel, yvel], rtor, steps),
        Hand::new(&scene, [rx2, ry2], angle2, [xvel2, yvel2], rtor2, steps2),
    ];
    let longest = hands.iter().map(|hand| hand.steps).max().unwrap_or(0);
    for t in 0..longest + 100 {
        hands
            .iter()
            .filter(|hand| t < hand.steps)
            .for_each(Hand::push);
        scene.world.borrow_mut().step(0.01, 10, 10);
    }
    let objects = objects.map(|body| {
        let at = body.borrow().get_position();
        [f64::from(at.x), f64::from(at.y)]
    });
    let gain = |i: usize| distance(GOALS[i], STARTS[i]) - distance(GOALS[i], objects[i]);
    Outcome {
        reward: gain(0) + gain(1),
        objects,
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn boxed(half_width: f32, half_height: f32) -> ShapeDefPtr {
    let mut shape = B2polygonShape::default();
    shape.set_as_box(half_width, half_height);
    Rc::new(RefCell::new(shape))
}

fn disc(radius: f32) -> ShapeDefPtr {
    let mut shape = B2circleShape::default();
    shape.base.m_radius = radius;
    Rc::new(RefCell::new(shape))
}

/// The world and the table that everything rubs on.
struct Scene {
    world: B2worldPtr<NoUserData>,
    table: Body,
}

impl Scene {
    fn new() -> Self {
        let world = B2world::new(B2vec2::zero());
        let table = B2world::create_body(world.clone(), &B2bodyDef::default());
        B2body::create_fixture_by_shape(table.clone(), boxed(500.0, 500.0), 0.0);
        Self { world, table }
    }

    fn object(&self, at: [f64; 2], shape: ShapeDefPtr) -> Body {
        let body = self.body(at, 0.0, shape, 0.05, 0.01);
        self.rub(&body, 5.0);
        body
    }

    fn body(
        &self,
        at: [f64; 2],
        angle: f64,
        shape: ShapeDefPtr,
        density: f32,
        friction: f32,
    ) -> Body {
        let definition = B2bodyDef {
            body_type: B2bodyType::B2DynamicBody,
            position: B2vec2::new(at[0] as f32, at[1] as f32),
            angle: angle as f32,
            ..Default::default()
        };
        let body = B2world::create_body(self.world.clone(), &definition);
        let fixture = B2fixtureDef {
            shape: Some(shape),
            density,
            friction,
            ..Default::default()
        };
        B2body::create_fixture(body.clone(), &fixture);
        body
    }

    /// Friction of a body on the table.
    fn rub(&self, body: &Body, max_force: f32) {
        let mut joint = B2frictionJointDef {
            max_force,
            max_torque: 2.0,
            ..Default::default()
        };
        joint.base.body_a = Some(self.table.clone());
        joint.base.body_b = Some(body.clone());
        self.world
            .borrow_mut()
            .create_joint(&B2JointDefEnum::FrictionJoint(joint));
    }
}

/// A hand that is driven towards a velocity for some steps.
struct Hand {
    body: Body,
    velocity: [f64; 2],
    spin: f64,
    steps: usize,
}

impl Hand {
    fn new(
        scene: &Scene,
        at: [f64; 2],
        angle: f64,
        velocity: [f64; 2],
        spin: f64,
        tens: f64,
    ) -> Self {
        let body = scene.body(at, angle, boxed(1.0, 0.3), 0.1, 0.1);
        scene.rub(&body, 2.0);
        Self {
            body,
            velocity,
            spin,
            steps: (tens * 10.0) as usize,
        }
    }

    /// The reference computes the torque in double precision and the force in single.
    fn push(&self) {
        let mut body = self.body.borrow_mut();
        let mass = body.get_mass();
        let lag = self.spin - f64::from(body.get_angular_velocity());
        body.apply_torque((f64::from(mass) * lag * 30.0) as f32, true);
        let target = B2vec2::new(self.velocity[0] as f32, self.velocity[1] as f32);
        let force = 30.0 * (mass * (target - body.get_linear_velocity()));
        let at = body.get_position();
        body.apply_force(force, at, true);
    }
}

/// The robot as a contextual problem: hand 1 is the design, hand 2 and both spins are the context.
pub struct Robot {
    design: Vec<Variable>,
    context: Vec<Variable>,
}

impl Robot {
    pub fn new() -> Self {
        let hand = |suffix: &str| {
            let named =
                |name: &str, unit, lo, hi| Variable::new(format!("{name}{suffix}"), unit, lo, hi);
            vec![
                named("rx", "m", -5.0, 5.0),
                named("ry", "m", -5.0, 5.0),
                named("xvel", "m/s", -10.0, 10.0),
                named("yvel", "m/s", -10.0, 10.0),
                named("simu_steps", "0.1 s", 2.0, 30.0),
                named("init_angle", "rad", 0.0, TAU),
            ]
        };
        let mut context = hand("2");
        context.push(Variable::new("rtor", "rad/s", -5.0, 5.0));
        context.push(Variable::new("rtor2", "rad/s", -5.0, 5.0));
        Self {
            design: hand(""),
            context,
        }
    }
}

impl Problem for Robot {
    fn name(&self) -> &'static str {
        "robot"
    }

    fn title(&self) -> String {
        "Robot pushing".to_string()
    }

    fn design(&self) -> &[Variable] {
        &self.design
    }

    fn context(&self) -> &[Variable] {
        &self.context
    }

    fn value(&self, design: &[f64], context: &[f64]) -> f64 {
        let variables = self.design.iter().chain(&self.context);
        let units = design.iter().chain(context);
        let mut inputs = [0.0; 14];
        for ((input, variable), unit) in inputs.iter_mut().zip(variables).zip(units) {
            *input = variable.physical(*unit);
        }
        let reward = simulate(&inputs).reward;
        ((reward - LOWEST) / (HIGHEST - LOWEST)).clamp(0.0, 1.0)
    }

    fn physical(&self, value: f64) -> (f64, &'static str) {
        (LOWEST + value * (HIGHEST - LOWEST), "m")
    }

    /// Found by an evolutionary search; 2.4e-4 m below the bound.
    fn optimum(&self) -> (Vec<f64>, Vec<f64>) {
        const BEST: [f64; 14] = [
            -3.074189028665205,
            0.15004220369367813,
            8.125487347022167,
            5.89682237297133,
            15.607369094445852,
            2.2392055045294943,
            0.3204689325982511,
            -2.3317069744540766,
            -8.437087993924559,
            6.9299634710466425,
            15.655367772056762,
            4.497050334090954,
            -0.7420466060082108,
            -4.63525260485929,
        ];
        let variables = self.design.iter().chain(&self.context);
        let unit = variables
            .zip(BEST)
            .map(|(v, best)| (best - v.lo) / (v.hi - v.lo));
        let mut design: Vec<f64> = unit.collect();
        let context = design.split_off(self.design.len());
        (design, context)
    }
}
