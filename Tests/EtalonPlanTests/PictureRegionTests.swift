import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

/// Regions hold whole quads and lie within their picture.
@Suite struct PictureRegionTests {
  private let whole = Size(21, 16)

  private func region(_ columns: Range<Int>, _ rows: Range<Int>) -> Extent { PictureRegion(columns: columns, rows: rows, of: whole).extent }

  @Test func sidesAreEvenOrAtTheEdge() {
    #expect(region(3..<8, 4..<6) == Extent(x: 2, y: 4, size: Size(6, 2)))
    #expect(region(5..<6, 7..<8) == Extent(x: 4, y: 6, size: Size(2, 2)))
    #expect(region(19..<21, 13..<16) == Extent(x: 18, y: 12, size: Size(3, 4)))
    #expect(region(0..<21, 0..<16) == Extent(whole))
  }

  @Test func whatLiesOutsideIsCutOff() {
    #expect(region(-5..<3, 10..<40) == Extent(x: 0, y: 10, size: Size(4, 6)))
    #expect(region(-9 ..< -2, 30..<34) == Extent(x: 0, y: 14, size: Size(2, 2)))
    #expect(region(30..<32, -4 ..< -3) == Extent(x: 20, y: 0, size: Size(1, 2)))
  }

  @Test func aUnionContainsBoth() {
    let one = PictureRegion(columns: 2..<4, rows: 8..<10, of: whole), other = PictureRegion(columns: 10..<12, rows: 2..<4, of: whole)
    #expect(one.union(other).extent == Extent(x: 2, y: 2, size: Size(10, 8)))
    #expect(one.union(PictureRegion(whole)).isWhole)
  }

  @Test func aDispatchBeginsWhereTheRegionLies() {
    let region = PictureRegion(columns: 6..<16, rows: 8..<14, of: whole)
    let upper = DispatchRegion(originX: 0, originY: 4, endX: 10, endY: 6)
    #expect(upper.moved(into: region).words == [6, 12, 16, 14, 6, 8])
    #expect(upper.moved(into: nil).words == [0, 4, 10, 6, 0, 0])
    #expect(upper.moved(into: region).workgroupCounts == upper.workgroupCounts)
  }

  @Test func passesCoverTheirRegion() {
    let interface = KernelInterface(
      entryPoint: "main", workgroupSize: [256, 1, 1], uniforms: nil, pushConstants: nil, resources: [], usesSubgroups: false)
    let region = PictureRegion(columns: 6..<16, rows: 8..<14, of: whole)
    func violations(_ coverage: Plan.Pass.Coverage) -> String? {
      let pass = Plan.Pass(name: "image", kernel: 0, coverage: coverage, region: region, bindings: [:])
      let plan = Plan(textures: [], outputs: [], kernels: [Kernel(name: "kernel", words: [], interface: interface)], passes: [pass])
      do throws(RenderError) {
        _ = try PlanChecker().check(plan)
        return nil
      } catch {
        return error.message
      }
    }
    #expect(violations(.pixels(Size(10, 6))) == nil)
    #expect(violations(.pixels(Size(8, 6))) == "inconsistent plan: pass 'image' covers 8x6 pixels of a region of 10x6")
    #expect(violations(.workgroups(1, 1, 1)) == "inconsistent plan: pass 'image' has a region, and does not cover pixels")
  }
}
