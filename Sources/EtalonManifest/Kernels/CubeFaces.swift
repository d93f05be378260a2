internal import EtalonTypes

/// GLSL for passes that fill the faces of a cube, one face after the other.
enum CubeFaces {
  /// Pixels along the side of a cube that a ShaderToy fills.
  static let side = 1024

  static let uniform = Uniform(name: "etalonFace", type: .int, meaning: .cubeFace)

  /// The direction from the middle of the cube to the pixel, such that a read in this direction finds it again.
  static let ray = """
    vec3 etalonRay() {
      vec2 p = (vec2(etalonPixel) + 0.5) / \(side / 2).0 - 1.0;
      vec3 ray = vec3(-p.x, -p.y, -1.0);
      if (etalonFace == 0) ray = vec3(1.0, -p.y, -p.x);
      if (etalonFace == 1) ray = vec3(-1.0, -p.y, p.x);
      if (etalonFace == 2) ray = vec3(p.x, 1.0, p.y);
      if (etalonFace == 3) ray = vec3(p.x, -1.0, -p.y);
      if (etalonFace == 4) ray = vec3(p.x, -p.y, 1.0);
      return normalize(ray);
    }

    """
}
